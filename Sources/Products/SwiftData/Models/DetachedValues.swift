/// The values of a model that is in no context: one that was not inserted, or whose deletion was saved.
@usableFromInline
final class DetachedValues {
    /// The value of each property by its number; nil for a property that was not set.
    private var values: [Any?] = []
    /// The identifier until the model has a record, made when it is asked for; then that of the deleted record.
    private(set) lazy var identifier = DetachedIdentifier()
    /// The identifier of the record that the values were copied from when it was deleted.
    var deletedIdentifier: PersistentIdentifier?

    /// The value of a property; nil if it was not set.
    subscript(number: Int) -> Any? {
        get { number < values.count ? values[number] : nil }
        set {
            while values.count <= number { values.append(nil) }
            values[number] = newValue
        }
    }
}

/// Identifies a model that was not inserted into a context.
final class DetachedIdentifier: Sendable {}
