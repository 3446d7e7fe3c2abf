/// The limits of reading a property list or a keyed archive, beyond which `ArchiveError` `.limitExceeded` is thrown.
package struct PropertyListLimits: Sendable {
    /// The size of the data in bytes.
    package var bytes = 64 << 20
    /// The number of objects.
    package var objects = 1 << 20
    /// How deeply containers may nest.
    package var depth = 256
    /// The number of values if a shared object is counted once for each reference to it.
    package var expandedValues = 4 << 20

    package init() {}
}
