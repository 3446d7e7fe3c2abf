/// The bounds within which a property list or a keyed archive is read; what exceeds one is refused.
package struct PropertyListLimits: Sendable {
    /// The total size.
    package var bytes = 64 << 20
    /// The number of objects.
    package var objects = 1 << 20
    /// How deeply containers may nest.
    package var depth = 256
    /// The number of values met when every shared object is counted at each place that refers to it.
    package var expandedValues = 4 << 20

    package init() {}
}
