import CoreDataGraph

/// How many objects are worked on together: a thousand, or fewer if they are large.
enum BatchSize {
    static let greatest = 1_000
    /// The bytes that the objects of a batch may have, by what the first ones have.
    private static let greatestBytes = 8 << 20
    private static let sampleSize = 20

    /// The size for what a request finds.
    static func fitting(_ request: UntypedFetchRequest, in context: NSManagedObjectContext) throws -> Int {
        var sample: [NSManagedObject] = []
        var objects = FetchedObjects<NSManagedObject>(context, request, batchSize: sampleSize).makeAsyncIterator()
        while sample.count < sampleSize, let object = try objects.next() { sample.append(object) }
        return fitting(sample)
    }

    /// The size for objects of which these are the first.
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
