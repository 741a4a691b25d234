"""How the site is set: Sphinx with Markdown, the Python reference from docstrings."""

project = "polhode"
author = "The polhode developers"
copyright = author
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["deflist"]
# Links such as `page.md#a-heading` reach headings this deep.
myst_heading_anchors = 4
html_theme = "furo"
html_title = "polhode"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["_extra"]
html_copy_source = False
html_show_sphinx = False
# Code is shown as it is, whatever its language.
highlight_language = "none"
# Long pages of tables are documents of their own, and begin where they want to.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
autodoc_default_options = {"members": True, "member-order": "bysource", "show-inheritance": False}
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_google_docstring = False
# Plotting and the rest are for those who have installed them; the reference is made without.
autodoc_mock_imports = ["dask", "distributed", "jax", "matplotlib", "mpl_toolkits", "pandas", "scipy", "xarray"]


def bars(app, what, name, thing, options, lines):
    """Bars in docstrings are absolute values, not substitutions."""
    lines[:] = [line.replace("|", r"\|") for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", bars)
