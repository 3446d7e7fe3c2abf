import CoreData

/// A class written by hand, whose properties are generated.
public nonisolated class Order: NSManagedObject {
    /// What the order costs.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var total: Int64 { Int64(count) * (article?.price ?? 0) }
}
