/// The values of a model that is in no context: one that was not inserted, or whose deletion was saved.
@usableFromInline
final class DetachedValues {
    /// The value of each property by its number; nil for a property that was not set.
    private var values: [Any?] = []
    /// The number of the first property: those before it are in the storage of the superclass.
    let base: Int
    /// The identifier until the model has a record, made when it is asked for; then that of the deleted record.
    private(set) lazy var identifier = DetachedIdentifier()
    /// The identifier of the record that the values were copied from when it was deleted.
    var deletedIdentifier: PersistentIdentifier?

    /// The number of values for which memory is taken at once.
    private static let usualCount = 16

    @usableFromInline init(base: Int = 0) {
        self.base = base
        values.reserveCapacity(Self.usualCount)
    }

    /// The value of a property; nil if it was not set.
    subscript(number: Int) -> Any? {
        get {
            let place = number - base
            return values.indices.contains(place) ? values[place] : nil
        }
        set {
            let place = number - base
            guard place >= 0 else { return }
            while values.count <= place { values.append(nil) }
            values[place] = newValue
        }
    }
}

/// Identifies a model that was not inserted into a context.
final class DetachedIdentifier: Sendable {}
