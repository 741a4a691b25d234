//! Whether colours can be told apart, also by the colour-blind.

/// What an eye sees of red, green and blue light: with all its cones, and without those for long, middle and short
/// waves (Machado, Oliveira and Fernandes, A physiologically-based model for simulation of color vision deficiency,
/// 2009).
const EYES: [(&str, [[f64; 3]; 3]); 4] = [
    ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ),
];

/// The colours of sRGB as intensities of light.
fn light(colour: [u8; 3]) -> [f64; 3] {
    colour.map(|value| {
        let c = f64::from(value) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }
    })
}

fn times(matrix: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

/// CIE L*a*b*, in which colours at a distance of about 2 are just told apart side by side.
fn lab(rgb: [f64; 3]) -> [f64; 3] {
    const XYZ: [[f64; 3]; 3] = [
        [0.412_456_4, 0.357_576_1, 0.180_437_5],
        [0.212_672_9, 0.715_152_2, 0.072_175_0],
        [0.019_333_9, 0.119_192_0, 0.950_304_1],
    ];
    let [x, y, z] = times(&XYZ, rgb.map(|c| c.clamp(0.0, 1.0)));
    let f = |t: f64| if t > 0.008_856 { libm::cbrt(t) } else { 7.787 * t + 16.0 / 116.0 };
    let (x, y, z) = (f(x / 0.950_47), f(y), f(z / 1.088_83));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// The two of these colours that are nearest to each other for any eye: how near, and for whom.
///
/// # Panics
/// With fewer than two colours.
pub fn nearest(colours: &[[u8; 3]]) -> (f64, String) {
    let mut found: Option<(f64, String)> = None;
    for (eye, matrix) in &EYES {
        let seen: Vec<[f64; 3]> = colours.iter().map(|&c| lab(times(matrix, light(c)))).collect();
        for (i, a) in seen.iter().enumerate() {
            for (k, b) in seen.iter().enumerate().take(i) {
                let d = [0, 1, 2].map(|n| a[n] - b[n]);
                let apart = libm::hypot(libm::hypot(d[0], d[1]), d[2]);
                if found.as_ref().is_none_or(|(least, _)| apart < *least) {
                    let who = format!("{:?} and {:?}, {eye}", colours[i], colours[k]);
                    found = Some((apart, who));
                }
            }
        }
    }
    found.expect("two colours")
}

/// The contrast of a colour on paper, 1 to 21 (WCAG 2): lines that carry meaning should have 3.
pub fn contrast(colour: [u8; 3], paper: [u8; 3]) -> f64 {
    let [a, b] = [colour, paper].map(|c| {
        let [red, green, blue] = light(c);
        0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
    });
    a.max(b) / a.min(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn red_and_green_are_alike_for_some() {
        let (apart, who) = nearest(&[[170, 60, 0], [110, 90, 0]]);
        assert!(apart < 5.0 && !who.contains("all cones"), "{apart}: {who}");
        assert!(nearest(&[[0, 0, 0], [255, 255, 255]]).0 > 99.0);
        assert!((contrast([0, 0, 0], [255, 255, 255]) - 21.0).abs() < 1e-9);
    }
}
