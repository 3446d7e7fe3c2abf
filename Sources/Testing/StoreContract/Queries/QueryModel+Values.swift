import CoreDataGraph
import TestBasics

extension QueryModel {
    /// Values of the transformable attribute; an array among them is one value.
    private static var extras: [Any] { [TimeZone.gmt, [1, 2], [Int](), ["a", NSNull()] as [Any], ["key": "value"]] }

    /// Random values of a person of an entity; about one in five is nil.
    package static func values(of entity: String, _ dice: inout SeededRandom) -> [String: Any] {
        var values: [String: Any] = [:]
        let text = { (dice: inout SeededRandom) in Awkward.texts.randomElement(using: &dice) ?? "" }
        let whole = { (dice: inout SeededRandom) in NSNumber(value: Awkward.wholes.randomElement(using: &dice) ?? 0) }
        let real = { (dice: inout SeededRandom) in Awkward.reals.randomElement(using: &dice) ?? 0 }
        let date = { (dice: inout SeededRandom) in
            Date(timeIntervalSinceReferenceDate: Awkward.dates.randomElement(using: &dice) ?? 0)
        }
        let all: [(String, (inout SeededRandom) -> Any)] = [
            ("name", text), ("nick", text), ("small", whole), ("medium", whole),
            ("large", { NSNumber(value: Awkward.large.randomElement(using: &$0) ?? 0) }),
            ("flag", { NSNumber(value: Bool.random(using: &$0)) }),
            ("ratio", { NSNumber(value: real(&$0)) }), ("single", { NSNumber(value: Double(Float(real(&$0)))) }),
            ("price", { Decimal(string: Awkward.decimals.randomElement(using: &$0) ?? "0") ?? 0 }),
            ("born", date), ("seen", date),
            ("photo", { Data([0, 255, 65].shuffled(using: &$0).prefix(Int.random(in: 0...3, using: &$0))) }),
            (
                "token",
                { UUID(uuidString: "00000000-0000-0000-0000-00000000000\(Int.random(in: 0...9, using: &$0))") as Any }
            ),
            ("link", { URL(string: "https://example.org/\(Int.random(in: 0...5, using: &$0))%C3%A4") as Any }),
            ("extra", { extras.randomElement(using: &$0) ?? 0 }),
            ("home", { ["city": text(&$0), "number": whole(&$0)] }),
        ]
        for (key, make) in all where Int.random(in: 0..<5, using: &dice) > 0 { values[key] = make(&dice) }
        if entity != "Person" { values["salary"] = NSNumber(value: real(&dice)) }
        if entity == "Manager" { values["level"] = whole(&dice) }
        return values
    }

    /// Inserts companies, departments, skills, notes and persons; returns the objects in the order of insertion.
    package static func fill(
        _ context: NSManagedObjectContext, seed: UInt64, people count: Int
    ) throws -> [NSManagedObject] {
        var dice = SeededRandom(seed: seed)
        var objects: [NSManagedObject] = []
        func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
            let object = context.insert(entity, values)
            objects.append(object)
            return object
        }
        func optionalName() -> [String: Any] {
            Bool.random(using: &dice) ? ["name": Awkward.texts.randomElement(using: &dice) ?? ""] : [:]
        }
        let companies = (0..<4).map { make("Company", ["name": "Company \($0)", "city": Awkward.texts[$0 * 7 + 7]]) }
        let departments = (0..<12).map { number in
            make("Department", ["budget": number * 100].merging(optionalName()) { $1 })
        }
        for (number, department) in departments.enumerated() where number % 4 != 3 {
            department.setValue(companies[number % 3], forKey: "company")
        }
        let skills = (0..<10).map { number in make("Skill", ["rank": number % 4].merging(optionalName()) { $1 }) }
        let people = (0..<count).map { number in
            let entity = ["Person", "Employee", "Manager"][number % 3]
            var values = values(of: entity, &dice)
            // Only values that the default transformer accepts can be saved.
            if values["extra"] != nil { values["extra"] = ["key": "value"] }
            return make(entity, values)
        }
        for person in people {
            if Int.random(in: 0..<4, using: &dice) > 0 {
                person.setValue(departments[Int.random(in: 0..<9, using: &dice)], forKey: "department")
            }
            if Int.random(in: 0..<3, using: &dice) > 0 {
                person.setValue(people[Int.random(in: 0..<min(40, people.count), using: &dice)], forKey: "boss")
            }
            let some = skills.shuffled(using: &dice).prefix(Int.random(in: 0..<4, using: &dice))
            person.setValue(NSSet(array: Array(some)), forKey: "skills")
            if Int.random(in: 0..<4, using: &dice) == 0 {
                person.mutableSetValue(forKey: "friends").add(people[Int.random(in: 0..<count, using: &dice)])
            }
            let notes = (0..<Int.random(in: 0..<3, using: &dice)).map { _ in
                make("Note", ["text": Awkward.texts.randomElement(using: &dice) ?? ""])
            }
            person.setValue(NSSet(array: notes), forKey: "notes")
        }
        try context.save()
        return objects
    }
}
