import CoreDataGraph

/// Determines how many objects are migrated per batch: a thousand, or fewer if they are large.
enum BatchSize {
    static let greatest = 1_000
    /// The greatest total size in bytes of a batch, as estimated from the sizes of the first objects.
    private static let greatestBytes = 8 << 20
    private static let sampleSize = 20

    /// The batch size for the objects that a request fetches.
    static func fitting(_ request: UntypedFetchRequest, in context: NSManagedObjectContext) throws -> Int {
        var sample: [NSManagedObject] = []
        var objects = FetchedObjects<NSManagedObject>(context, request, batchSize: sampleSize).makeAsyncIterator()
        while sample.count < sampleSize, let object = try objects.next() { sample.append(object) }
        return fitting(sample)
    }

    /// The batch size for a list of objects, estimated from the first ones.
    static func fitting(_ objects: [NSManagedObject]) -> Int {
        let sample = objects.prefix(sampleSize)
        guard !sample.isEmpty else { return greatest }
        let bytes = sample.reduce(0) { $0 + size(of: $1) } / sample.count
        return max(4, min(greatest, greatestBytes / max(1, bytes)))
    }

    private static func size(of object: NSManagedObject) -> Int {
        object.entity.attributesByName.values.reduce(0) { size, attribute in
            guard
                [.binaryDataAttributeType, .stringAttributeType, .transformableAttributeType].contains(
                    attribute.attributeType)
            else { return size + 8 }
            switch object.primitiveValue(forKey: attribute.name) {
            case let data as Data: return size + data.count
            case let text as String: return size + text.utf8.count
            default: return size + 64
            }
        }
    }
}
