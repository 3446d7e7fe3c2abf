import CoreData
import StoreContract
import TestBasics

/// People with every type of attribute and every kind of relationship, for the predicates of `PredicatePool`.
enum PeopleModel {
    static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Person",
            [
                "number": .integer64AttributeType, "name": .stringAttributeType, "nick": .stringAttributeType,
                "small": .integer16AttributeType, "medium": .integer32AttributeType, "large": .integer64AttributeType,
                "flag": .booleanAttributeType, "ratio": .doubleAttributeType, "single": .floatAttributeType,
                "price": .decimalAttributeType, "born": .dateAttributeType, "seen": .dateAttributeType,
                "photo": .binaryDataAttributeType, "token": .UUIDAttributeType, "link": .URIAttributeType,
                "extra": .transformableAttributeType, "film": .binaryDataAttributeType, "age": .integer16AttributeType,
            ])
        builder.entity("Employee", in: "Person", ["salary": .doubleAttributeType])
        builder.entity("Manager", in: "Employee", ["level": .integer16AttributeType])
        builder.entity(
            "Department",
            ["number": .integer64AttributeType, "name": .stringAttributeType, "budget": .integer32AttributeType])
        builder.entity(
            "Company", ["number": .integer64AttributeType, "name": .stringAttributeType, "city": .stringAttributeType])
        builder.entity(
            "Skill", ["number": .integer64AttributeType, "name": .stringAttributeType, "rank": .integer16AttributeType])
        builder.entity("Note", ["number": .integer64AttributeType, "text": .stringAttributeType])
        builder.relationships("Person.department", "Department.people*")
        builder.relationships("Person.boss", "Person.reports*")
        builder.relationships("Department.company", "Company.departments*!")
        builder.relationships("Person.skills*", "Skill.people*!")
        builder.relationship("Person.notes*", to: "Note")
        let friends = builder.relationship("Person.friends*", to: "Person")
        friends.inverseRelationship = friends
        builder.attribute("Person.age").isTransient = true
        builder.attribute("Person.film").allowsExternalBinaryDataStorage = true
        addDerived(to: builder)
        return builder.model
    }

    /// Every form of derivation but the time, over each kind of relationship.
    private static func addDerived(to builder: ModelBuilder) {
        let derived: [(String, NSAttributeType, String)] = [
            ("Person.plainName", .stringAttributeType, "canonical:(name)"),
            ("Person.loudNick", .stringAttributeType, "uppercase:(nick)"),
            ("Person.samePrice", .decimalAttributeType, "price"),
            ("Person.sameLink", .URIAttributeType, "link"),
            ("Person.departmentName", .stringAttributeType, "department.name"),
            ("Person.city", .stringAttributeType, "lowercase:(department.company.city)"),
            ("Person.bossBorn", .dateAttributeType, "boss.born"),
            ("Person.reportCount", .integer64AttributeType, "reports.@count"),
            ("Person.skillRanks", .integer64AttributeType, "skills.@sum.rank"),
            ("Person.friendCount", .integer16AttributeType, "friends.@count"),
            ("Person.friendSum", .integer64AttributeType, "friends.@sum.small"),
            ("Person.noteCount", .integer32AttributeType, "notes.@count"),
            ("Employee.bossToken", .UUIDAttributeType, "boss.token"),
            ("Manager.greatest", .integer16AttributeType, "reports.@max.small"),
            ("Department.smallSum", .doubleAttributeType, "people.@sum.small"),
            ("Department.latest", .dateAttributeType, "people.@max.born"),
            ("Department.mean", .doubleAttributeType, "people.@avg.small"),
            ("Company.budget", .integer64AttributeType, "departments.@sum.budget"),
            ("Skill.peopleCount", .integer64AttributeType, "people.@count"),
            ("Skill.least", .integer32AttributeType, "people.@min.small"),
        ]
        for (path, type, derivation) in derived { builder.derived(path, type, derivation) }
    }

    /// The entities with their own objects.
    static let roots = ["Person", "Department", "Company", "Skill", "Note"]
}

/// The same operations on two stores of different kinds.
struct PeoplePair {
    let stacks: [Stack]
    private var random: SeededRandom
    private var count = 0
    /// The objects of each entity in each store, while none comes or goes.
    private var listed: [String: [[NSManagedObject]]] = [:]

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        stacks = [try Stack(PeopleModel.make(), kind: .sqlite), try Stack(PeopleModel.make(), kind: .inMemory)]
    }

    private mutating func next(below limit: Int) -> Int { random.next(below: limit) }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[next(below: values.count)] }

    func objects(_ entity: String, _ stack: Stack) throws -> [NSManagedObject] {
        if let place = stacks.firstIndex(where: { $0 === stack }), let list = listed[entity]?[place] { return list }
        return try stack.context.all(entity, sortedBy: "number")
    }

    // MARK: Filling

    /// Inserts an object in both stores, with the same values.
    mutating func insert(_ entity: String, _ values: [String: Any] = [:]) {
        count += 1
        var values = values
        values["number"] = count
        for stack in stacks { stack.context.insert(entity, values) }
    }

    mutating func fill(people: Int) throws {
        for number in 0..<4 { insert("Company", ["name": "Company \(number)", "city": Awkward.texts[number * 7 + 7]]) }
        for number in 0..<12 { insert("Department", named(["budget": number * 100])) }
        for number in 0..<10 { insert("Skill", named(["rank": number % 4])) }
        for number in 0..<people { insertPerson(["Person", "Employee", "Manager"][number % 3]) }
        for _ in 0..<people { insert("Note", ["text": pick(Awkward.texts)]) }
        for root in PeopleModel.roots { listed[root] = try stacks.map { try objects(root, $0) } }
        for _ in 0..<people * 4 { try relateSomething() }
        listed = [:]
        try save()
    }

    private mutating func named(_ values: [String: Any]) -> [String: Any] {
        next(below: 2) == 0 ? values : values.merging(["name": pick(Awkward.texts)]) { $1 }
    }

    mutating func insertPerson(_ entity: String) {
        var values = personValues()
        if entity != "Person" { values["salary"] = pick(Awkward.reals) }
        if entity == "Manager" { values["level"] = NSNumber(value: pick(Awkward.wholes)) }
        insert(entity, values)
    }

    private mutating func personValues() -> [String: Any] {
        let bytes: [UInt8] = [0, 255, 65]
        let all: [(String, Any)] = [
            ("name", pick(Awkward.texts)), ("nick", pick(Awkward.texts)),
            ("small", NSNumber(value: pick(Awkward.wholes))), ("medium", NSNumber(value: pick(Awkward.wholes))),
            ("large", NSNumber(value: pick(Awkward.large))), ("flag", next(below: 2) == 0),
            ("ratio", pick(Awkward.reals)), ("single", Double(Float(pick(Awkward.reals)))),
            ("price", Decimal(string: pick(Awkward.decimals)) ?? 0),
            ("born", Date(timeIntervalSinceReferenceDate: pick(Awkward.dates))),
            ("seen", Date(timeIntervalSinceReferenceDate: pick(Awkward.dates))),
            ("photo", Data(bytes.prefix(next(below: 4)))),
            ("token", UUID(uuidString: "00000000-0000-0000-0000-00000000000\(next(below: 10))") as Any),
            ("link", URL(string: "https://example.org/\(next(below: 6))%C3%A4") as Any),
            ("film", Data([7])), ("extra", NSArray()),
        ]
        var values: [String: Any] = [:]
        for (key, value) in all where next(below: 5) > 0 { values[key] = value }
        return values
    }

    // MARK: Changing

    /// One random change, the same in both stores.
    mutating func change() throws {
        switch next(below: 10) {
        case 0: insertPerson(pick(["Person", "Employee", "Manager"]))
        case 1: insert("Note", ["text": pick(Awkward.texts)])
        case 2, 3: try setSomething()
        case 4: try deleteSomething()
        default: try relateSomething()
        }
    }

    private mutating func setSomething() throws {
        let values = personValues()
        guard let index = try index(of: "Person") else { return }
        for stack in stacks {
            let person = try objects("Person", stack)[index]
            for (key, value) in values where key != "extra" { person.setValue(value, forKey: key) }
            if values.count.isMultiple(of: 3) { person.setValue(nil, forKey: "nick") }
        }
    }

    private mutating func deleteSomething() throws {
        let entity = pick(PeopleModel.roots)
        guard let index = try index(of: entity) else { return }
        for stack in stacks { stack.context.delete(try objects(entity, stack)[index]) }
    }

    private mutating func index(of entity: String) throws -> Int? {
        let count = try objects(entity, stacks[0]).count
        return count == 0 ? nil : next(below: count)
    }

    mutating func relateSomething() throws {
        let choices: [(String, String, String)] = [
            ("Person", "department", "Department"), ("Person", "boss", "Person"), ("Person", "skills", "Skill"),
            ("Skill", "people", "Person"), ("Person", "notes", "Note"), ("Person", "friends", "Person"),
            ("Department", "company", "Company"), ("Company", "departments", "Department"),
            ("Department", "people", "Person"),
        ]
        let (entity, key, target) = pick(choices)
        guard let owner = try index(of: entity), let member = try index(of: target) else { return }
        let action = next(below: 4)
        for stack in stacks {
            let object = try objects(entity, stack)[owner]
            let other = try objects(target, stack)[member]
            try relate(object, key, other, action)
        }
    }

    private func relate(_ object: NSManagedObject, _ key: String, _ other: NSManagedObject, _ action: Int) throws {
        guard let relationship = object.entity.relationshipsByName[key] else { return }
        guard relationship.isToMany else { return object.setValue(action == 0 ? nil : other, forKey: key) }
        guard relationship.isOrdered else {
            let members = NSMutableSet(set: object.value(forKey: key) as? NSSet ?? NSSet())
            if members.contains(other), action == 0 { members.remove(other) } else { members.add(other) }
            return object.setValue(members, forKey: key)
        }
        var members = (object.value(forKey: key) as? NSOrderedSet)?.array ?? []
        members.removeAll { $0 as? NSManagedObject === other }
        if action != 0 { members.insert(other, at: action == 1 ? 0 : members.count) }
        object.setValue(NSOrderedSet(array: members), forKey: key)
    }

    func save() throws {
        for stack in stacks { try stack.context.save() }
    }

    // MARK: Comparing

    /// Everything that a new context finds in a store, as lines of text.
    func dump(_ stack: Stack) throws -> [String] {
        let context = stack.newContext()
        var lines: [String] = []
        for root in PeopleModel.roots {
            for object in try context.all(root, sortedBy: "number") { lines.append(line(object)) }
        }
        return lines
    }

    private func line(_ object: NSManagedObject) -> String {
        let attributes = object.entity.attributesByName.keys.sorted().map { key in
            "\(key)=\(object.value(forKey: key).map { String(describing: $0) } ?? "nil")"
        }
        let relationships = object.entity.relationshipsByName.keys.sorted().map { key -> String in
            switch object.value(forKey: key) {
            case let set as NSOrderedSet: "\(key)=\(set.array.map(number))"
            case let set as NSSet: "\(key)=\(set.allObjects.map(number).sorted())"
            case let other as NSManagedObject: "\(key)=\(number(other))"
            default: "\(key)=nil"
            }
        }
        return "\(object.entity.name ?? "") \((attributes + relationships).joined(separator: " "))"
    }

    private func number(_ object: Any) -> Int { (object as? NSManagedObject)?.value(forKey: "number") as? Int ?? -1 }
}
