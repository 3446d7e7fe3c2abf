import CoreData
import Testing

/// Makes one object of all source objects of a name.
final class MergingPolicy: NSEntityMigrationPolicy {
    private var made: [String: NSManagedObject] = [:]

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let name = sInstance.value(forKey: "name") as? String ?? ""
        if let known = made[name] {
            return manager.associate(sourceInstance: sInstance, withDestinationInstance: known, for: mapping)
        }
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        made[name] =
            manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]).first
    }
}

@Suite struct SharedDestinationTests {
    init() { ObjectClassResolver.register(module: "CoreDataMigrationTests") }

    private static let model = """
        <entity name="Author"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="authors"/></entity>
        <entity name="Book"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="authors" optional="YES" toMany="YES" destinationEntity="Author" inverseName="books"/></entity>
        """

    @Test("a policy makes one object of several, which has the relationships of all of them (MIG-13, MIG-14)")
    func severalBecomeOne() throws {
        let stores = try MappedStores(
            Self.model,
            Self.model.replacingOccurrences(
                of: "<entity name=\"Book\">",
                with: "<entity name=\"Book\"><attribute name=\"isbn\" optional=\"YES\" attributeType=\"String\"/>"))
        try stores.fill { context in
            // Three authors of one name, each of another book, and a book of all of them.
            let authors = (0..<3).map { _ in MappedStores.insert("Author", context, ["name": "Ann"]) }
            for (number, author) in authors.enumerated() {
                _ = MappedStores.insert("Book", context, ["name": "B\(number)", "authors": NSSet(object: author)])
            }
            _ = MappedStores.insert("Book", context, ["name": "All", "authors": NSSet(array: authors)])
        }
        for policies in [("MergingPolicy", nil), ("MergingPolicy", "MergingPolicy"), (nil, nil)] as [(String?, String?)]
        {
            try? FileManager.default.removeItem(at: stores.destination)
            let mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: stores.old, destinationModel: stores.new)
            mapping.entityMappingsByName["IEM_Copy_Author"]?.entityMigrationPolicyClassName = policies.0
            mapping.entityMappingsByName["IEM_Transform_Book"]?.entityMigrationPolicyClassName = policies.1
            #expect(
                mapping.entityMappings.count { $0.entityMigrationPolicyClassName != nil }
                    == [policies.0, policies.1].count { $0 != nil })
            try stores.migrate(mapping)
            try stores.read { context in
                let authors = try MappedStores.all("Author", context)
                let books = try MappedStores.all("Book", context, by: "name")
                #expect(books.map { $0.value(forKey: "name") as? String } == ["All", "B0", "B1", "B2"])
                #expect(authors.count == (policies.0 == nil ? 3 : 1))
                let counts = books.map { ($0.value(forKey: "authors") as? NSSet)?.count }
                #expect(counts == (policies.0 == nil ? [3, 1, 1, 1] : [1, 1, 1, 1]))
                if policies.0 != nil { #expect(authors[0].value(forKey: "books") as? NSSet == NSSet(array: books)) }
            }
        }
    }
}
