import CoreData
import Testing

@Suite("Fetches with strange numbers and keys")
struct FetchHazardTests {
    private static func request(_ change: (NSFetchRequest<NSManagedObject>) -> Void) -> NSFetchRequest<NSManagedObject>
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        change(request)
        return request
    }

    @Test("limits, offsets and batch sizes that make no sense count as none, or give nothing (HAZ-55)")
    func strangeNumbers() throws {
        let open = try Opened(try SampleStore.make())
        let cases: [(name: String, expected: Int, change: (NSFetchRequest<NSManagedObject>) -> Void)] = [
            ("limit -1", 17, { $0.fetchLimit = -1 }), ("limit 0", 17, { $0.fetchLimit = 0 }),
            ("least limit", 17, { $0.fetchLimit = .min }), ("greatest limit", 17, { $0.fetchLimit = .max }),
            ("offset -1", 17, { $0.fetchOffset = -1 }), ("offset 17", 0, { $0.fetchOffset = 17 }),
            ("offset 16", 1, { $0.fetchOffset = 16 }), ("greatest offset", 0, { $0.fetchOffset = .max }),
            ("least offset", 17, { $0.fetchOffset = .min }), ("batch 0", 17, { $0.fetchBatchSize = 0 }),
            ("batch -1", 17, { $0.fetchBatchSize = -1 }), ("greatest batch", 17, { $0.fetchBatchSize = .max }),
            (
                "all at once", 0,
                {
                    $0.fetchLimit = .max
                    $0.fetchOffset = .max
                    $0.fetchBatchSize = 1
                }
            ),
        ]
        for (name, expected, change) in cases {
            let request = Self.request(change)
            let objects = try open.context.fetch(request)
            #expect(objects.count == expected, "\(name)")
            #expect(objects.compactMap { $0.value(forKey: "title") as? String }.count == expected, "\(name)")
            let count = try open.context.count(for: request)
            #expect(count == expected, "\(name)")
        }
    }

    @Test("sorts and groups that have no meaning are errors that name the key (HAZ-55)")
    func strangeKeys() throws {
        let open = try Opened(try SampleStore.make())
        for key in ["notes", "tags", "nowhere", "shelf.nowhere", "self.self.self.nowhere", "_storage", ""] {
            let request = Self.request { $0.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)] }
            let error = #expect(throws: (any Error).self, "\(key)") { try open.context.fetch(request) }
            #expect((error as NSError?)?.domain == NSCocoaErrorDomain, "\(key): \(error.map { "\($0)" } ?? "")")
        }
        let groups = NSFetchRequest<NSDictionary>(entityName: "Book")
        groups.resultType = .dictionaryResultType
        groups.propertiesToGroupBy = ["title"]
        let outcome = Result { try open.context.fetch(groups) }
        switch outcome {
        case .success(let rows): #expect(rows.count == 17)
        case .failure(let error): #expect((error as NSError).domain == NSCocoaErrorDomain)
        }
    }
}
