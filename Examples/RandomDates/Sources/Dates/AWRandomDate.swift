import CoreData

/// A moment of chance with the name of its weekday.
#if canImport(ObjectiveC)
    @objc(AWRandomDate)
#endif
class AWRandomDate: NSManagedObject {
    @NSManaged var date: Date?
    @NSManaged var dayName: String?
}

extension AWRandomDate {
    /// Inserts a moment between 1970 and 2106: a random 32-bit number of seconds.
    @discardableResult
    static func random(
        in context: NSManagedObjectContext, using generator: inout some RandomNumberGenerator
    ) -> AWRandomDate {
        let inserted = NSEntityDescription.insertNewObject(forEntityName: "RandomDate", into: context)
        guard let made = inserted as? AWRandomDate else {
            fatalError("the model's entity RandomDate does not name AWRandomDate as its class")
        }
        let date = Date(timeIntervalSince1970: TimeInterval(UInt32.random(in: .min ... .max, using: &generator)))
        made.date = date
        made.dayName = Weekday(of: date).name
        return made
    }
}
