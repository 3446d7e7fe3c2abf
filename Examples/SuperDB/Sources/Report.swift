import CoreData

/// What `superdb show` prints.
struct Report {
    let database: HeroDatabase
    /// The day for which ages are told.
    let today: Date

    func printAll() throws {
        let heroes = try database.heroes()
        print("\(heroes.count) heroes")
        printSections(of: heroes)
        if let first = heroes.first { printDetail(of: first) }
        try printSearch(
            "An l in the name, born on a known day",
            NSPredicate(format: "name CONTAINS[c] %@ AND birthDate != nil", "L"))
        try printSearch(
            "Female or incognito", NSPredicate(format: "sex == %@ OR secretIdentity == %@", "Female", "Unknown"))
        if let date = Days.date(1980, 1, 1) {
            try printSearch("Born before \(Days.text(date))", NSPredicate(format: "birthDate < %@", date as NSDate))
        }
    }

    /// The list, in sections by name: the heroes come sorted, so a section ends where the name changes.
    private func printSections(of heroes: [Hero]) {
        var section: String?
        for hero in heroes {
            if hero.name != section {
                section = hero.name
                print("\n\(hero.name)")
            }
            print("    \(hero.secretIdentity)")
        }
    }

    func printDetail(of hero: Hero) {
        print("\n\(hero.name) in detail")
        let rows: [(label: String, text: String?)] = [
            ("Identity", hero.secretIdentity),
            ("Birthdate", hero.birthDate.map(Days.text)),
            ("Age", hero.age(on: today, in: Days.calendar).map { "\($0) on \(Days.text(today))" }),
            ("Sex", hero.sex),
            ("Object ID", hero.objectID.uriRepresentation().absoluteString),
        ]
        for row in rows {
            print("    " + row.label.padding(toLength: 11, withPad: " ", startingAt: 0) + (row.text ?? "–"))
        }
    }

    private func printSearch(_ title: String, _ predicate: NSPredicate) throws {
        let names = try database.heroes(matching: predicate).map(\.name)
        print("\n\(title)\n    \(names.isEmpty ? "nobody" : names.joined(separator: ", "))")
    }
}
