import CoreDataFoundation
import SQLiteKit

/// Values that are easy to get wrong.
enum Awkward {
    static let texts = [
        "", "a", "A", "abc", "ABC", "abcd", "b", "Ärger", "A\u{308}rger", "ärger", "Arger", "straße", "STRASSE",
        "strasse",
        "100%", "100", "a_b", "axb", "back\\slash", "quote's", "\"double\"", "nul\u{0}byte", "nul", "שלום", "مرحبا",
        "'; DROP TABLE ZPERSON; --", "İstanbul", "istanbul", "ısı", "日本", "👨‍👩‍👧", "👨", "e\u{301}", "é", "É", "a*b", "a?b",
        "\u{10FFFF}", "\u{10FFFF}x", "\u{D7FF}x", "\u{E000}", "ss", "ß", "Sales", "Soles", "Domestic Sales",
        "line\nbreak",
        "ΣΑΣ", "σας", "file2", "file10", "File3",
    ]
    static let wholes: [Int64] = [0, 1, -1, 2, 3, 4, 5, 7, 42, 100, 32767, -32768]
    static let large: [Int64] = [
        0, 1, -1, .max, .min, 9_007_199_254_740_993, 9_007_199_254_740_992, -9_007_199_254_740_993, 1 << 60, 5,
    ]
    static let reals: [Double] = [
        0, 0.1, 0.5, 0.30000000000000004, -0.25, 1, 2.5, 1e300, -1e300, 1e-300, 9_007_199_254_740_992, 1e18, 1e19,
        .infinity,
        123456.789, 5,
    ]
    static let decimals = [
        "0", "0.1", "0.2", "0.3", "10.11", "-5", "5", "123456789012.345", "0.000001", "99999999999999",
    ]
    static let dates: [Double] = [0, 0.1, -1, 700_000_000, 700_000_000.123456, -3_000_000_000, 1e-6]
}

extension QueryWorld {
    /// Companies, departments, skills, notes and 320 people, a good part of whose values are nil.
    func fill(seed: UInt64) throws {
        var dice = Dice(seed: seed)
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
        let people = try (0..<320).map { number in
            let entity = ["Person", "Employee", "Manager"][number % 3]
            return try add(entity, values(entity, &dice))
        }
        for person in people { try relate(person, departments, skills, people, &dice) }
        try insertAll()
    }

    private func optionalName(_ dice: inout Dice) -> [String: Any] {
        Bool.random(using: &dice) ? ["name": Awkward.texts.randomElement(using: &dice) ?? ""] : [:]
    }

    private func relate(
        _ person: Sample, _ departments: [Sample], _ skills: [Sample], _ people: [Sample], _ dice: inout Dice
    ) throws {
        // The last departments stay empty.
        if Int.random(in: 0..<4, using: &dice) > 0 {
            relate(person, "department", departments[Int.random(in: 0..<9, using: &dice)])
        }
        if Int.random(in: 0..<3, using: &dice) > 0 {
            relate(person, "boss", people[Int.random(in: 0..<40, using: &dice)])
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

    private func values(_ entity: String, _ dice: inout Dice) -> [String: Any] {
        var values: [String: Any] = [:]
        let text = { (dice: inout Dice) in Awkward.texts.randomElement(using: &dice) ?? "" }
        let whole = { (dice: inout Dice) in NSNumber(value: Awkward.wholes.randomElement(using: &dice) ?? 0) }
        let real = { (dice: inout Dice) in Awkward.reals.randomElement(using: &dice) ?? 0 }
        let date = { (dice: inout Dice) in
            Date(timeIntervalSinceReferenceDate: Awkward.dates.randomElement(using: &dice) ?? 0)
        }
        let all: [(String, (inout Dice) -> Any)] = [
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
            ("extra", { _ in NSArray() }),
        ]
        for (key, make) in all where Int.random(in: 0..<5, using: &dice) > 0 { values[key] = make(&dice) }
        if entity != "Person" { values["salary"] = NSNumber(value: real(&dice)) }
        if entity == "Manager" { values["level"] = whole(&dice) }
        return values
    }
}
