import CoreData

/// The five heroes that a new database begins with.
enum Fixture {
    private static let rows:
        [(name: String, identity: String?, birthDate: (year: Int, month: Int, day: Int)?, sex: String?)] = [
            ("Alpha", "Ann Archer", (1980, 5, 1), "Female"),
            ("Bolt", "Ben Brook", (1975, 1, 15), "Male"),
            ("Cinder", "Cora Cole", (1990, 12, 31), "Female"),
            ("Dusk", "Dan Dale", (1980, 5, 1), "Male"),
            ("Echo", nil, nil, nil),
        ]

    /// Inserts the heroes; saving them is up to the caller. What a row leaves out keeps the model's default.
    static func insert(into context: NSManagedObjectContext) {
        for row in rows {
            let hero = Hero(context: context)
            hero.name = row.name
            if let identity = row.identity { hero.secretIdentity = identity }
            hero.birthDate = row.birthDate.flatMap { Days.date($0.year, $0.month, $0.day) }
            hero.sex = row.sex
        }
    }
}
