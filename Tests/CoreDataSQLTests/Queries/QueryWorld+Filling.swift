import CoreDataFoundation
import SQLiteKit
import StoreContract
import TestBasics

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
            return try add(entity, QueryModel.values(of: entity, &dice))
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
}
