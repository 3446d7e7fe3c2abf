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
            .stored("birthDate", \Hero.birthDate), .stored("sex", \Hero.sex),
        ])

        override class var propertyTable: PropertyTable { table }
    #endif

    /// Whole years from the day of birth to the given date; nil for the immortal and for travellers in time.
    func age(on date: Date, in calendar: Calendar) -> Int? {
        birthDate.flatMap { calendar.dateComponents([.year], from: $0, to: date).year }
    }
}
