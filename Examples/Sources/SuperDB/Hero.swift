import CoreData

/// A superhero, with the identity that nobody may know.
#if canImport(ObjectiveC)
    @objc(Hero)
#endif
final class Hero: NSManagedObject {
    /// Whole years from the day of birth to the given date; nil for the immortal and for travellers in time.
    func age(on date: Date, in calendar: Calendar) -> Int? {
        birthDate.flatMap { calendar.dateComponents([.year], from: $0, to: date).year }
    }
}
