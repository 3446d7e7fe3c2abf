import CoreData

extension AWPerson {
    /// The day of birth; setting it sets the year as well.
    ///
    /// Both are announced as changes, so that one undo takes both back. A primitive value alone would stay behind.
    #if canImport(ObjectiveC)
        @objc
    #endif
    var dateOfBirth: Date? {
        get {
            willAccessValue(forKey: "dateOfBirth")
            defer { didAccessValue(forKey: "dateOfBirth") }
            return primitiveValue(forKey: "dateOfBirth") as? Date
        }
        set {
            let year = newValue.map { Calendar.ofBirthdays.component(.year, from: $0) }
            willChangeValue(forKey: "dateOfBirth")
            willChangeValue(forKey: "yearOfBirth")
            setPrimitiveValue(newValue, forKey: "dateOfBirth")
            setPrimitiveValue(year, forKey: "yearOfBirth")
            didChangeValue(forKey: "yearOfBirth")
            didChangeValue(forKey: "dateOfBirth")
        }
    }

    /// The year of `dateOfBirth`, stored so that a list can be sorted and divided by it; 0 if it is not known.
    #if canImport(ObjectiveC)
        @objc
    #endif
    var yearOfBirth: Int {
        willAccessValue(forKey: "yearOfBirth")
        defer { didAccessValue(forKey: "yearOfBirth") }
        return (primitiveValue(forKey: "yearOfBirth") as? NSNumber)?.intValue ?? 0
    }
}

extension Calendar {
    /// The calendar of days of birth: Gregorian and in Greenwich, so that a day is the same day everywhere.
    static let ofBirthdays: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
