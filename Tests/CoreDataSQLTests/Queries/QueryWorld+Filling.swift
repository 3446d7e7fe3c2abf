import CoreDataFoundation
import CoreDataTestSupport
import SQLiteKit

extension QueryWorld {
    /// Companies, departments, skills, notes and people, a good part of whose values are nil.
    func fill(seed: UInt64, people count: Int = 320) throws {
        var dice = SeededRandom(seed: seed)
        let companies = try (0..<4).map { number in
            try add("Company", ["name": "Company \(number)", "city": Awkward.texts[number * 7 + 7]])
        }
        let departments = try (0..<12).map { number in
            try add("Department", ["budget": NSNumber(value: number * 100)].merging(optionalName(&dice)) { $1 })
        }
        for (number, department) in departments.enumerated() where number % 4 != 3 {
            relate(department, "company", companies[number % 3])
        }
        let skills = try (0..<10).map { number in
            try add("Skill", ["rank": NSNumber(value: number % 4)].merging(optionalName(&dice)) { $1 })
        }
        let people = try (0..<count).map { number in
            let entity = ["Person", "Employee", "Manager"][number % 3]
            return try add(entity, values(entity, &dice))
        }
        for person in people { try relate(person, departments, skills, people, &dice) }
        try insertAll()
    }

    private func optionalName(_ dice: inout SeededRandom) -> [String: Any] {
        Bool.random(using: &dice) ? ["name": Awkward.texts.randomElement(using: &dice) ?? ""] : [:]
    }

    private func relate(
        _ person: Sample, _ departments: [Sample], _ skills: [Sample], _ people: [Sample], _ dice: inout SeededRandom
    ) throws {
        // The last departments stay empty.
        if Int.random(in: 0..<4, using: &dice) > 0 {
            relate(person, "department", departments[Int.random(in: 0..<9, using: &dice)])
        }
        if Int.random(in: 0..<3, using: &dice) > 0 {
            relate(person, "boss", people[Int.random(in: 0..<min(40, people.count), using: &dice)])
        }
        for skill in skills.shuffled(using: &dice).prefix(Int.random(in: 0..<4, using: &dice)) {
            relate(person, "skills", skill)
        }
        if Int.random(in: 0..<4, using: &dice) == 0 {
            let friend = people[Int.random(in: 0..<people.count, using: &dice)]
            let known = person.values["friends"] as? [Sample] ?? []
            if !known.contains(where: { $0 === friend }) { relate(person, "friends", friend) }
        }
        for _ in 0..<Int.random(in: 0..<3, using: &dice) {
            let note = try add("Note", ["text": Awkward.texts.randomElement(using: &dice) ?? ""])
            relate(person, "notes", note)
        }
    }

    /// Values for a transformer: lists among them are single values, not many.
    private static let extras: [Any] = [TimeZone.gmt, [1, 2], [Int](), ["a", NSNull()] as [Any], ["key": "value"]]

    private func values(_ entity: String, _ dice: inout SeededRandom) -> [String: Any] {
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
            ("extra", { Self.extras.randomElement(using: &$0) ?? 0 }),
            ("home", { ["city": text(&$0), "number": whole(&$0)] }),
        ]
        for (key, make) in all where Int.random(in: 0..<5, using: &dice) > 0 { values[key] = make(&dice) }
        if entity != "Person" { values["salary"] = NSNumber(value: real(&dice)) }
        if entity == "Manager" { values["level"] = whole(&dice) }
        return values
    }
}
