import CoreDataGraph
import Observation
import StoreContract
import TestBasics
import Testing

/// What a library adds that Apple's framework has too: in a program, its own method comes first.
extension NSManagedObjectContext {
    fileprivate func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        userInfo["own"] = true
        return try block()
    }
}

extension Hero {
    /// As Xcode writes it.
    @nonobjc fileprivate class func fetchRequest() -> NSFetchRequest<Hero> { NSFetchRequest<Hero>(entityName: "Hero") }
}

private final class WatchedHero: NSManagedObject, Observable {}

/// Classes of the library that a program's tests put others in the place of.
@Suite struct MockTests {
    private final class MockContext: NSManagedObjectContext, @unchecked Sendable {
        let mock: Set<NSManagedObject> = []
        override var hasChanges: Bool { true }
        override var insertedObjects: Set<NSManagedObject> { mock }
        override var updatedObjects: Set<NSManagedObject> { mock }
        override var deletedObjects: Set<NSManagedObject> { mock }
        override var registeredObjects: Set<NSManagedObject> { mock }
        override var concurrencyType: NSManagedObjectContextConcurrencyType { .mainQueueConcurrencyType }
        override func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? { nil }
        override func refreshAllObjects() { userInfo["refreshed"] = true }
        override func assign(_ object: Any, to store: NSPersistentStore) {}
        override var queryGenerationToken: NSQueryGenerationToken? { .current }
        override func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws { userInfo["pinned"] = true }
        override func detectConflicts(for object: NSManagedObject) {}
        override class func mergeChanges(
            fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
        ) { for context in contexts { context.userInfo["merged"] = true } }
    }

    /// Answers requests of one entity itself, and leaves others to the library.
    private final class AnsweringContext: NSManagedObjectContext, @unchecked Sendable {
        override func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] {
            userInfo["fetches"] = (userInfo["fetches"] as? Int ?? 0) + 1
            guard request.entityName == "Power" else { return try super.fetch(request) }
            throw CocoaError(.featureUnsupported)
        }

        override func count(for request: NSFetchRequest<NSFetchRequestResult>) throws -> Int {
            request.entityName == "Power" ? 42 : try super.count(for: request)
        }
    }

    private final class MockCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
        override func persistentStore(for url: URL) -> NSPersistentStore? { nil }
        override func url(for store: NSPersistentStore) -> URL { URL(fileURLWithPath: "/mock") }
        override func managedObjectID(forURIRepresentation uri: URL) -> NSManagedObjectID? { NSManagedObjectID() }
        override func destroyPersistentStore(
            at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
        ) throws { throw CocoaError(.fileNoSuchFile) }
        override class func metadataForPersistentStore(
            ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
        ) throws -> [String: Any] { ["mock": true] }
        override func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? { nil }
        override func migratePersistentStore(
            _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
        ) throws -> NSPersistentStore { throw CocoaError(.featureUnsupported) }
    }

    private final class MockRequest: NSFetchRequest<NSManagedObject> {
        override func execute() throws -> [NSManagedObject] { throw CocoaError(.featureUnsupported) }
    }

    private final class MockPolicy: NSMergePolicy, @unchecked Sendable {
        override var mergeType: NSMergePolicyType { .overwriteMergePolicyType }
    }

    private final class MockContainer: NSPersistentContainer, @unchecked Sendable {
        let mock = MockContext(concurrencyType: .mainQueueConcurrencyType)
        override var viewContext: NSManagedObjectContext { mock }
        override var name: String { "mock" }
    }

    private final class MockObject: NSManagedObject {
        override var hasChanges: Bool { true }
        override func changedValues() -> [String: Any] { ["mock": 1] }
    }

    @Test("a container's view context, and what a context says of its changes, can be replaced in a subclass")
    func containersViewContextAndWhatContextSaysOfItsChanges() throws {
        let container = MockContainer(name: "Real", managedObjectModel: HeroModel.make())
        let context: NSManagedObjectContext = container.viewContext
        #expect(container.name == "mock" && context === container.mock && context.hasChanges)
        #expect(context.insertedObjects.isEmpty && context.registeredObjects.isEmpty)
        #expect(context.registeredObject(for: NSManagedObjectID()) == nil)
        context.refreshAllObjects()
        type(of: context).mergeChanges(fromRemoteContextSave: [:], into: [context])
        #expect(context.userInfo["refreshed"] as? Bool == true && context.userInfo["merged"] as? Bool == true)
    }

    @Test("fetches and counts of a subclass are asked for requests of every type of results")
    func fetchesAndCountsOfSubclass() throws {
        let stack = try HeroModel.stack(.inMemory)
        let context: NSManagedObjectContext = AnsweringContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        let hero = context.insert("Hero", ["name": "Ann"])
        let heroes = try context.fetch(NSFetchRequest<Hero>(entityName: "Hero"))
        #expect(heroes == [hero])
        let untyped = NSFetchRequest<NSFetchRequestResult>(entityName: "Hero")
        #expect(try context.fetch(untyped) as? [NSManagedObject] == [hero])
        untyped.resultType = .managedObjectIDResultType
        #expect(try context.fetch(untyped.retyped(as: NSManagedObjectID.self)) == [hero.objectID])
        untyped.resultType = .countResultType
        #expect(try context.fetch(untyped.retyped(as: NSNumber.self)) == [1])
        // Each came to the override once, though that calls its superclass.
        #expect(context.userInfo["fetches"] as? Int == 4)
        #expect(try context.count(for: NSFetchRequest<Hero>(entityName: "Hero")) == 1)
        // A class that the entity has not is refused as in a context of the library's own class.
        expectError(NSCoreDataError) { try context.fetch(NSFetchRequest<Power>(entityName: "Hero")) }
        let powers = NSFetchRequest<NSManagedObject>(entityName: "Power")
        #expect(throws: CocoaError.self) { try context.fetch(powers) }
        #expect(try context.count(for: powers) == 42)
        #expect(try stack.context.count(for: powers) == 0)
    }

    @Test("a coordinator's places, identifiers, files and metadata can be replaced in a subclass")
    func coordinatorsPlacesIdentifiersFilesAndMetadataCanBeReplaced()
        throws
    {
        let coordinator: NSPersistentStoreCoordinator = MockCoordinator(managedObjectModel: HeroModel.make())
        let url = URL(fileURLWithPath: "/a")
        #expect(coordinator.persistentStore(for: url) == nil)
        #expect(coordinator.managedObjectID(forURIRepresentation: url)?.isTemporaryID == true)
        #expect(throws: CocoaError.self) { try coordinator.destroyPersistentStore(at: url, type: .inMemory) }
        let metadata = try type(of: coordinator).metadataForPersistentStore(type: .inMemory, at: url)
        #expect(metadata["mock"] as? Bool == true)
    }

    @Test("moves, pins, requests and kinds of policies can be replaced in a subclass, and the library asks them")
    func movesPinsRequestsAndKindsOfPoliciesCanBeReplacedInSubclass() throws {
        let coordinator = MockCoordinator(managedObjectModel: HeroModel.make())
        let store = try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
        // The form with a type calls the one that is overridden.
        #expect(throws: CocoaError.self) {
            try coordinator.migratePersistentStore(store, to: URL(fileURLWithPath: "/b"), type: .inMemory)
        }
        #expect(coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
        let context: NSManagedObjectContext = MockContext(concurrencyType: .mainQueueConcurrencyType)
        try context.setQueryGenerationFrom(nil)
        #expect(context.userInfo["pinned"] as? Bool == true && context.queryGenerationToken == .current)
        let request: NSFetchRequest<NSManagedObject> = MockRequest(entityName: "Hero")
        #expect(throws: CocoaError.self) { try request.execute() }
        let policy: NSMergePolicy = MockPolicy(merge: .errorMergePolicyType)
        #expect(policy.mergeType == .overwriteMergePolicyType)
        // An error policy throws for conflicts; this one says that it is of another kind.
        try policy.resolve(optimisticLockingConflicts: [])
    }

    @Test("an identifier of no record is temporary and equal to itself alone")
    func identifierOfNoRecordIsTemporaryAndEqualToItselfAlone() {
        let (one, other) = (NSManagedObjectID(), NSManagedObjectID())
        #expect(one == one && one != other && Set([one, other, one]).count == 2)
        #expect(one.isTemporaryID && one.persistentStore == nil && one.entity.properties.isEmpty)
        #expect(one.uriRepresentation() != other.uriRepresentation())
    }

    @Test("setting up a schema of CloudKit does nothing and throws nothing") func cloudKitSchema() throws {
        let container = NSPersistentCloudKitContainer(name: "Cloud", managedObjectModel: HeroModel.make())
        try container.initializeCloudKitSchema(options: [.dryRun, .printSchema])
        try container.initializeCloudKitSchema()
        #expect(container.persistentStoreCoordinator.persistentStores.isEmpty)
    }

    @Test("a program's own fetchRequest and performAndWait come before the library's") func ownMethods() throws {
        let stack = try HeroModel.stack(.inMemory)
        let request = Hero.fetchRequest()
        stack.context.insert("Hero", ["name": "Ann"])
        let count = try stack.context.performAndWait { try stack.context.count(for: request) }
        #expect(count == 1 && stack.context.userInfo["own"] as? Bool == true)
        let untyped: NSFetchRequest<NSFetchRequestResult> = Hero.fetchRequest()
        #expect(untyped.entityName == "Hero")
    }

    @Test("a program's class may be observable itself") func programsClassMayBeObservableItself() {
        let watched: Any.Type = WatchedHero.self
        #expect(watched is any Observable.Type)
    }
}
