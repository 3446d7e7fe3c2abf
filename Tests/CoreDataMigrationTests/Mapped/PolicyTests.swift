import CoreData
import StoreContract
import Testing

/// What was called, in order; kept in the manager's user info.
final class CallLog { var calls: [String] = [] }

/// Notes every call and throws in the one that it is told.
class LoggingPolicy: NSEntityMigrationPolicy {
    struct Failure: Error, CustomStringConvertible { var description: String { "as asked" } }

    private func note(_ call: String, _ manager: NSMigrationManager) throws {
        (manager.userInfo?["log"] as? CallLog)?.calls.append(call)
        if manager.userInfo?["fails"] as? String == call { throw Failure() }
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        try note("begin", manager)
    }
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try note("create", manager)
        #expect(manager.currentEntityMapping === mapping)
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try note("endCreation", manager)
    }
    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try note("relate", manager)
        let sources = manager.sourceInstances(
            forEntityMappingName: mapping.name, destinationInstances: [dInstance])
        #expect(sources.count == 1 && sources[0].value(forKey: "n") as? Int == dInstance.value(forKey: "n") as? Int)
        #expect(
            manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: sources) == [dInstance])
        try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }
    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try note("endRelating", manager)
    }
    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try note("validate", manager)
    }
    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws { try note("end", manager) }
}

/// Sets the year of a date as a constant expression for each object, as the books' policy does.
final class AWPersonMigrationPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let date = try #require(sInstance.value(forKey: "dateOfBirth") as? Date)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let year = calendar.component(.year, from: date)
        for property in mapping.attributeMappings ?? [] where property.name == "yearOfBirth" {
            property.valueExpression = NSExpression(forConstantValue: year)
        }
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
}

/// Splits names, and lists functions that expressions call.
class NameFunctionsPolicy: NSEntityMigrationPolicy {
    override class var functions: [String: Function] {
        [
            "partOf:at:": { _, arguments in
                let parts = (arguments[0] as? String)?.split(separator: " ").map(String.init) ?? []
                let place = (arguments[1] as? NSNumber)?.intValue ?? 0
                return parts.indices.contains(place) ? parts[place] : nil
            },
            "fails": { _, _ in throw LoggingPolicy.Failure() },
        ]
    }
}

@Suite struct PolicyTests {
    init() { ObjectClassResolver.register(module: "CoreDataMigrationTests") }

    private func stores(_ count: Int) throws -> MappedStores {
        let entity = "<entity name=\"A\"><attribute name=\"n\" optional=\"YES\" attributeType=\"Integer 32\"/>"
        let stores = try MappedStores(
            entity + "</entity>", entity + "<attribute name=\"m\" optional=\"YES\" attributeType=\"String\"/></entity>")
        try stores.fill { context in for n in 0..<count { _ = MappedStores.insert("A", context, ["n": n]) } }
        return stores
    }

    private func logged(_ fails: String? = nil) -> (NSMappingModel, [AnyHashable: Any]) {
        let mapping = NSMappingModel(
            NSEntityMapping(
                "A", "A", type: .customEntityMappingType, policy: "LoggingPolicy", attributes: ["n": "$source.n"]))
        return (mapping, ["log": CallLog(), "fails": fails as Any])
    }

    @Test("all hooks run in Apple's order, and objects are found both ways (MIG-13)")
    func hooksRunInOrder() throws {
        let stores = try stores(2)
        let (mapping, info) = logged()
        let manager = stores.manager()
        manager.userInfo = info
        try stores.migrate(mapping, manager)
        #expect(
            (info["log"] as? CallLog)?.calls == [
                "begin", "create", "create", "endCreation", "relate", "relate", "endRelating", "validate", "end",
            ])
        #expect(
            try stores.read { try MappedStores.all("A", $0, by: "n").map { $0.value(forKey: "n") as? Int } } == [0, 1])
        #expect(manager.currentEntityMapping == nil && manager.migrationProgress == 1)
    }

    @Test(
        "what a policy throws in any method is error 134170, which names mapping, entity and method (MIG-13, MIG-17)",
        arguments: [
            ("begin", "begin(_:with:)"), ("create", "createDestinationInstances(forSource:in:manager:)"),
            ("endCreation", "endInstanceCreation(forMapping:manager:)"),
            ("relate", "createRelationships(forDestination:in:manager:)"),
            ("endRelating", "endRelationshipCreation(forMapping:manager:)"),
            ("validate", "performCustomValidation(forMapping:manager:)"), ("end", "end(_:manager:)"),
        ])
    func policyFails(call: String, method: String) throws {
        let stores = try stores(2)
        let (mapping, info) = logged(call)
        let manager = stores.manager()
        manager.userInfo = info
        let error = try stores.failure(mapping, manager)
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSEntityMigrationPolicyError)
        #expect(error.userInfo["mapping"] as? String == "AToA" && error.userInfo["entity"] as? String == "A")
        #expect(error.userInfo["method"] as? String == method)
        #expect(error.localizedDescription.contains(method) && error.localizedDescription.contains("LoggingPolicy"))
        #expect(
            (error.userInfo[NSUnderlyingErrorKey] as? LoggingPolicy.Failure) != nil
                || error.localizedFailureReason == "as asked")
        // The manager can be used again.
        manager.userInfo = ["log": CallLog()]
        try stores.migrate(mapping, manager)
    }

    @Test("a policy sets a constant expression for each object and calls super (MIG-12, MIG-13)")
    func constantForEachObject() throws {
        let stores = try MappedStores(
            """
            <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="dateOfBirth" optional="YES" attributeType="Date"/></entity>
            """,
            """
            <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="yearOfBirth" optional="YES" attributeType="Integer 32"/></entity>
            """)
        try stores.fill { context in
            for year in 0..<30 {
                _ = MappedStores.insert(
                    "Person", context,
                    [
                        "name": "P\(year)",
                        "dateOfBirth": Date(timeIntervalSinceReferenceDate: 86_400 * (100 + 365.25 * Double(year))),
                    ])
            }
        }
        try stores.migrate(
            NSMappingModel(
                NSEntityMapping(
                    "Person", "Person", policy: "AWPersonMigrationPolicy",
                    attributes: ["name": "$source.name", "yearOfBirth": nil])))
        try stores.read { context in
            for person in try MappedStores.all("Person", context) {
                let year = try #require(person.value(forKey: "yearOfBirth") as? Int)
                #expect(person.value(forKey: "name") as? String == "P\(year - 2001)")
            }
            #expect(try MappedStores.all("Person", context).count == 30)
        }
    }

    @Test("full names are split by functions of the policy, and one entity by its policy into two (MIG-14)")
    func entityIsSplit() throws {
        let stores = try MappedStores(
            """
            <entity name="Person"><attribute name="fullName" optional="YES" attributeType="String"/>
            <attribute name="city" optional="YES" attributeType="String"/></entity>
            """,
            """
            <entity name="Person"><attribute name="firstName" optional="YES" attributeType="String"/>
            <attribute name="lastName" optional="YES" attributeType="String"/>
            <relationship name="address" maxCount="1" minCount="1" destinationEntity="Address" inverseName="person"/></entity>
            <entity name="Address"><attribute name="city" optional="YES" attributeType="String"/>
            <relationship name="person" optional="YES" maxCount="1" destinationEntity="Person" inverseName="address"/></entity>
            """)
        try stores.fill { context in
            for number in 0..<2_500 {
                _ = MappedStores.insert("Person", context, ["fullName": "F\(number) L\(number)", "city": "C\(number)"])
            }
        }
        let functions = "FUNCTION($entityPolicy, \"partOf:at:\", $source.fullName, "
        NameSplitPolicy.register(named: "Some.Old.Name")
        try stores.migrate(
            NSMappingModel(
                NSEntityMapping(
                    "Person", "Person", policy: "Some.Old.Name",
                    attributes: ["firstName": functions + "0)", "lastName": functions + "1)"]),
                NSEntityMapping(nil, "Address", type: .addEntityMappingType, attributes: ["city": nil])))
        try stores.read { context in
            let people = try MappedStores.all("Person", context)
            #expect(people.count == 2_500)
            #expect(try MappedStores.all("Address", context).count == 2_500)
            for person in people {
                let number = (person.value(forKey: "firstName") as? String)?.dropFirst() ?? "?"
                #expect(person.value(forKey: "lastName") as? String == "L\(number)")
                #expect(person.value(forKeyPath: "address.city") as? String == "C\(number)")
            }
        }
    }

    @Test("a function that throws is error 134170 of its property (MIG-13)")
    func functionFails() throws {
        let stores = try stores(1)
        let mapping = NSMappingModel(
            NSEntityMapping(
                "A", "A", policy: "NameFunctionsPolicy", attributes: ["m": "FUNCTION($entityPolicy, \"fails\")"]))
        let error = try stores.failure(mapping)
        #expect(error.code == NSEntityMigrationPolicyError)
        let inner = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(inner?.code == NSMigrationError && inner?.userInfo["property"] as? String == "m")
    }

    @Test("a policy that was ported answers expressions beside the functions of its parent (MIG-13)")
    func portedPolicyAnswers() throws {
        let stores = try stores(2)
        let expression = "FUNCTION($entityPolicy, \"noteForNumber::\", $source.n, \"number\")"
        try stores.migrate(
            NSMappingModel(NSEntityMapping("A", "A", policy: "PortedPolicy", attributes: ["m": expression])))
        let notes = try stores.read { context in
            try context.all("A").compactMap { $0.value(forKey: "m") as? String }.sorted()
        }
        #expect(notes == ["number 0", "number 1"])
    }
}

/// A policy as `coredata port` leaves it: its methods stay, and are listed.
final class PortedPolicy: NameFunctionsPolicy {
    func note(forNumber number: NSNumber?, _ kind: String) -> Any? { "\(kind) \(number ?? -1)" }

    #if !canImport(ObjectiveC)
        override class var functions: [String: Function] {
            super.functions.merging([
                "noteForNumber::": { policy, arguments in
                    guard let policy = policy as? PortedPolicy, arguments.count == 2 else { return nil }
                    let value0 = arguments[0] as? NSNumber
                    guard let value1 = arguments[1] as? String else { return nil }
                    return policy.note(forNumber: value0, value1)
                }
            ]) { $1 }
        }
    #endif
}

/// Both: functions for the names, a second object for the address.
final class NameSplitPolicy: NameFunctionsPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        let address = NSEntityDescription.insertNewObject(
            forEntityName: "Address", into: manager.destinationContext)
        address.setValue(sInstance.value(forKey: "city"), forKey: "city")
        address.setValue(made.first, forKey: "person")
    }
}
