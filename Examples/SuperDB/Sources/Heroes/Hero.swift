import CoreData

/// A superhero, with the identity that nobody may know.
#if canImport(ObjectiveC)
    @objc(Hero)
#endif
final class Hero: NSManagedObject {
    #if !canImport(ObjectiveC)
        /// What stands in for the Objective-C runtime: the properties in the order in which the accessors number them.
        private static let table = PropertyTable([
            .stored("name", \Hero.name), .stored("secretIdentity", \Hero.secretIdentity),
            .stored("birthDate", \Hero.birthDate).validated(by: Hero.validateBirthDate),
            .stored("sex", \Hero.sex), .computed("age", \Hero.age),
        ])

        override class var propertyTable: PropertyTable { table }
    #endif

    /// A new hero likes white, from version 2 of the model on.
    override func awakeFromInsert() {
        super.awakeFromInsert()
        guard entity.attributesByName["favoriteColor"] != nil else { return }
        setPrimitiveValue(NSArray(array: [1, 1, 1, 1].map { NSNumber(value: Double($0)) }), forKey: "favoriteColor")
    }

    override func validateForInsert() throws {
        try super.validateForInsert()
        try requireNameOrIdentity()
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        try requireNameOrIdentity()
    }

    /// Whole years from the day of birth to today; nil for the immortal and for travellers in time.
    var age: NSNumber? {
        age(on: HeroClock.now, in: Days.calendar).map { NSNumber(value: $0) }
    }

    /// Whole years from the day of birth to the given date.
    func age(on date: Date, in calendar: Calendar) -> Int? {
        birthDate.flatMap { calendar.dateComponents([.year], from: $0, to: date).year }
    }
}
