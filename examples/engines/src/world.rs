//! Worlds of Rapier with one body, and how they are stepped.

use polhode_step::Inertia;
use rapier3d::prelude::*;

/// Steps a second.
pub(crate) const RATE: f32 = 60.0;

/// Who turns the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Who {
    /// Rapier, without a gyroscopic term.
    Without,
    /// Rapier's own gyroscopic term, which is on unless switched off.
    Rapier,
    /// The same in steps as short as the parts of ours: what is gained by them alone.
    Divided,
    /// polhode-step, in a world whose gyroscopic term is off.
    Ours,
}

/// A world with one body.
pub(crate) struct Scene {
    world: PhysicsWorld,
    body: RigidBodyHandle,
    moments: [f32; 3],
    inertia: Inertia,
    who: Who,
    /// Of a step.
    parts: usize,
}

/// What can be seen of the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    /// Kinetic and potential energy.
    pub(crate) energy: f64,
    /// The angular momentum along the body's axes.
    pub(crate) momentum: [f64; 3],
    /// The cosine of the angle between the body's second axis and the vertical.
    pub(crate) upright: f64,
}

/// A wing nut, a T-shaped handle: it turns about its middle axis, nearly, and floats.
pub(crate) fn handle(who: Who) -> Scene {
    let moments = [1.0, 2.0, 2.6];
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::ZERO;
    let body = floating(who)
        .additional_mass_properties(MassProperties::new(Vector::ZERO, 1.0, moments.into()))
        .angvel(Vector::new(0.3, 8.0, 0.3));
    Scene::new(world, body, vec![], moments, who)
}

/// A top that spins on the ground: a disc of a kilogram and 20 cm radius, 6 cm above its tip. It
/// turns three times as fast as it must to stand.
pub(crate) fn top(who: Who) -> Scene {
    let moments = [0.01, 0.02, 0.01];
    let (height, radius, tilt) = (0.06_f32, 0.01_f32, 0.15_f32);
    let mut world = PhysicsWorld::new();
    world.insert_collider(
        ColliderBuilder::new(SharedShape::halfspace(Vector::Y)).friction(0.8),
        None,
    );
    let rotation = Rotation::from_axis_angle(Vector::X, tilt);
    let place = Vector::new(0.0, radius + height * tilt.cos(), 0.0);
    let body = floating(who)
        .additional_mass_properties(MassProperties::new(Vector::ZERO, 1.0, moments.into()))
        .pose(Pose::from_parts(place, rotation))
        .angvel(rotation * Vector::new(0.0, 30.0, 0.0));
    let tip = ColliderBuilder::ball(radius)
        .translation(Vector::new(0.0, -height, 0.0))
        .density(0.0)
        .friction(0.8)
        .restitution(0.0);
    // What it falls on: a rim of the disc's own radius would catch it before it has fallen.
    let rim = ColliderBuilder::cylinder(0.005, 0.1).density(0.0).friction(0.8).restitution(0.0);
    Scene::new(world, body, vec![tip, rim], moments, who)
}

fn floating(who: Who) -> RigidBodyBuilder {
    RigidBodyBuilder::dynamic()
        .can_sleep(false)
        .gyroscopic_forces_enabled(matches!(who, Who::Rapier | Who::Divided))
}

impl Scene {
    fn new(
        mut world: PhysicsWorld,
        body: RigidBodyBuilder,
        colliders: Vec<ColliderBuilder>,
        moments: [f32; 3],
        who: Who,
    ) -> Self {
        // Rapier divides a step into parts, each with a solution of contacts and a gyroscopic step. That cannot be
        // reached into, so with ours the parts are steps.
        let parts = world.integration_parameters.num_solver_iterations;
        world.integration_parameters.dt = 1.0 / RATE;
        if matches!(who, Who::Ours | Who::Divided) {
            world.integration_parameters.dt = 1.0 / (RATE * parts as f32);
            world.integration_parameters.num_solver_iterations = 1;
        }
        let body = world.bodies.insert(body);
        for collider in colliders {
            world.colliders.insert_with_parent(collider, body, &mut world.bodies);
        }
        world.bodies[body].recompute_mass_properties_from_colliders(&world.colliders);
        Self { world, body, moments, inertia: Inertia::principal(moments), who, parts }
    }

    /// One step of the world.
    pub(crate) fn step(&mut self) {
        match self.who {
            Who::Ours => (0..self.parts).for_each(|_| self.part()),
            Who::Divided => (0..self.parts).for_each(|_| self.world.step()),
            Who::Rapier | Who::Without => self.world.step(),
        }
    }

    /// A part of a step: half of it the body turns freely, then Rapier solves the contacts and moves it, then it
    /// turns freely for the other half. How Rapier turns it is forgotten.
    fn part(&mut self) {
        let half = self.world.integration_parameters.dt / 2.0;
        let middle = self.turn(half);
        self.world.step();
        self.world.bodies[self.body].set_rotation(middle, true);
        self.turn(half);
    }

    /// Turns the body freely.
    fn turn(&mut self, time: f32) -> Rotation {
        let body = &mut self.world.bodies[self.body];
        let (mut omega, mut q) = (body.angvel().to_array(), body.rotation().to_array());
        polhode_step::step(&self.inertia, &mut omega, &mut q, time);
        body.set_angvel(Vector::from_array(omega), true);
        body.set_rotation(Rotation::from_array(q), true);
        Rotation::from_array(q)
    }

    pub(crate) fn sight(&self) -> Sight {
        let body = &self.world.bodies[self.body];
        let omega = body.rotation().inverse() * body.angvel();
        let omega = omega.to_array().map(f64::from);
        let momentum = core::array::from_fn(|i| f64::from(self.moments[i]) * omega[i]);
        let turning: f64 = (0..3).map(|i| 0.5 * momentum[i] * omega[i]).sum();
        let moving = 0.5 * body.mass() * body.linvel().length_squared();
        let height = -body.mass() * self.world.gravity.dot(body.translation());
        Sight {
            energy: turning + f64::from(moving + height),
            momentum,
            upright: f64::from((*body.rotation() * Vector::Y).y),
        }
    }
}
