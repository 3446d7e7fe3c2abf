import CoreData
import TestBasics
import Testing

/// How much a mapped migration holds, and how long it takes beside doing the same by hand.
@Suite(.serialized) struct MappedMemoryTests {
    private static let model = """
        <entity name="Album"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="pictures" optional="YES" toMany="YES" destinationEntity="Picture" inverseName="album"/></entity>
        <entity name="Picture"><attribute name="number" optional="YES" attributeType="Integer 32"/>
        <attribute name="title" optional="YES" attributeType="String"/>
        <attribute name="data" optional="YES" attributeType="Binary"/>
        <relationship name="album" optional="YES" maxCount="1" destinationEntity="Album" inverseName="pictures"/></entity>
        """

    /// The memory that the process has at present, in megabytes.
    private static var memory: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) >> 10
    }

    private static func fill(_ stores: MappedStores, count: Int, size: Int) throws {
        let context = try MappedStores.context(stores.old, stores.source)
        let albums = (0..<10).map { MappedStores.insert("Album", context, ["name": "A\($0)"]) }
        try context.save()
        for start in stride(from: 0, to: count, by: 1_000) {
            for number in start..<min(start + 1_000, count) {
                let data = size == 0 ? nil : Data(repeating: UInt8(truncatingIfNeeded: number), count: size)
                _ = MappedStores.insert(
                    "Picture", context,
                    ["number": number, "title": "Picture \(number)", "data": data, "album": albums[number % 10]])
            }
            try context.save()
            context.refreshAllObjects()
        }
        try MappedStores.close(context)
    }

    private static func stores() throws -> MappedStores {
        try MappedStores(
            model,
            model.replacingOccurrences(
                of: "<attribute name=\"title\"",
                with: "<attribute name=\"note\" optional=\"YES\" attributeType=\"String\"/><attribute name=\"title\""))
    }

    /// Notes the greatest memory while objects are made and related.
    final class Gauge: NSEntityMigrationPolicy {
        nonisolated(unsafe) static var peak = 0
        /// The most objects that both contexts had at a time.
        nonisolated(unsafe) static var objects = 0
        nonisolated(unsafe) static var count = 0

        override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
            Self.peak = max(Self.peak, MappedMemoryTests.memory)
        }
        override func createDestinationInstances(
            forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
            try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
            Self.count += 1
            guard Self.count & 255 == 0 else { return }
            Self.peak = max(Self.peak, MappedMemoryTests.memory)
            let present =
                manager.sourceContext.registeredObjects.count + manager.destinationContext.registeredObjects.count
            Self.objects = max(Self.objects, present)
        }
        override func endRelationshipCreation(
            forMapping mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
            Self.peak = max(Self.peak, MappedMemoryTests.memory)
        }
        override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
            Self.peak = max(Self.peak, MappedMemoryTests.memory)
        }
    }

    @Test("a custom migration of objects with pictures holds a batch of them and no more (MIG-19)")
    func memoryIsBounded() throws {
        let stores = try Self.stores()
        // 200 MB of pictures.
        try Self.fill(stores, count: 20_000, size: 10_000)
        Gauge.register(named: "Gauge")
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: stores.old, destinationModel: stores.new)
        for entity in mapping.entityMappings { entity.entityMigrationPolicyClassName = "Gauge" }
        let before = Self.memory
        (Gauge.peak, Gauge.objects) = (0, 0)
        try stores.migrate(mapping)
        // A batch on either side, and what it leads to; the process's memory is also that of other tests.
        #expect(Gauge.objects > 0 && Gauge.objects < 5_000, "\(Gauge.objects) objects at a time")
        if TestSeed.isExhaustive { #expect(Gauge.peak - before < 120, "\(Gauge.peak - before) MB") }
        try stores.read { context in
            #expect(
                try MappedStores.all("Album", context).map { ($0.value(forKey: "pictures") as? NSSet)?.count }
                    == Array(repeating: 2_000, count: 10))
            let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
            var count = 0
            try context.objects(of: request).enumerateObjects { picture in
                let number = try #require(picture.value(forKey: "number") as? Int)
                let data = picture.value(forKey: "data") as? Data
                #expect(data?.count == 10_000 && data?.last == UInt8(truncatingIfNeeded: number))
                count += 1
            }
            #expect(count == 20_000)
        }
    }

    @Test("many objects are migrated with a policy and without; at length a million, measured (MIG-19)")
    func manyObjects() throws {
        let stores = try Self.stores()
        let usual = TestSeed.isExhaustive ? 1_000_000 : 3_000
        let count = Int(ProcessInfo.processInfo.environment["CORE_DATA_MAPPED_COUNT"] ?? "") ?? usual
        try Self.fill(stores, count: count, size: 0)
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: stores.old, destinationModel: stores.new)
        let byHand = try ContinuousClock().measure { try Self.recreate(stores) }
        let before = Self.memory
        Gauge.register(named: "Gauge")
        Gauge.peak = 0
        let plain = try ContinuousClock().measure { try stores.migrate(mapping) }
        if TestSeed.isExhaustive {
            print("by hand \(byHand), migrated \(plain), ratio \(plain / byHand), memory \(Self.memory - before) MB")
        }
        try FileManager.default.removeItem(at: stores.destination)
        for entity in mapping.entityMappings { entity.entityMigrationPolicyClassName = "Gauge" }
        let custom = try ContinuousClock().measure { try stores.migrate(mapping) }
        if TestSeed.isExhaustive {
            print("with a policy \(custom), ratio \(custom / byHand), peak \(Gauge.peak - before) MB")
        }
        if TestSeed.isExhaustive { #expect(Gauge.peak - before < 256) }
        try stores.read { context in
            let pictures = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Picture"))
            #expect(pictures == count)
        }
    }

    /// Reads all objects in batches and makes the same in another store, with their relationships, as a program would.
    private static func recreate(_ stores: MappedStores) throws {
        let old = try MappedStores.context(stores.old, stores.source)
        let new = try MappedStores.context(stores.new, stores.folder.appendingPathComponent("ByHand.sqlite"))
        var albums: [String: NSManagedObject] = [:]
        for album in try MappedStores.all("Album", old) {
            let name = album.value(forKey: "name") as? String ?? ""
            albums[name] = MappedStores.insert("Album", new, ["name": name])
        }
        try new.save()
        var number = 0
        try old.objects(of: NSFetchRequest<NSManagedObject>(entityName: "Picture")).enumerateObjects { picture in
            let copy = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: new)
            for key in ["number", "title", "data"] { copy.setValue(picture.value(forKey: key), forKey: key) }
            let album = picture.value(forKeyPath: "album.name") as? String
            copy.setValue(album.flatMap { albums[$0] }, forKey: "album")
            number += 1
            guard number % 1_000 == 0 else { return }
            try new.save()
            new.refreshAllObjects()
            old.refreshAllObjects()
        }
        try new.save()
        try MappedStores.close(old)
        try MappedStores.close(new)
    }
}
