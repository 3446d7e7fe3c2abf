import CoreData

/// A day of the week, Sunday first.
enum Weekday: Int, CaseIterable {
    case sunday, monday, tuesday, wednesday, thursday, friday, saturday

    /// The weekday of a moment in Greenwich, so that it is the same everywhere.
    init(of date: Date) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        self = Self.allCases[calendar.component(.weekday, from: date) - 1]
    }

    /// The day of an English name; nil for anything else.
    init?(name: String) {
        guard let day = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = day
    }

    /// The full English name, such as "Sunday".
    var name: String { Self.names[rawValue] }

    /// The first three letters of the name.
    var shortName: String { String(name.prefix(3)) }

    private static let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// The name under which sort descriptors find the order of the week.
    static let comparison = Selector("compareWeekday:")

    /// Makes the order of the week known to sort descriptors; what is no day comes last.
    static func registerComparison() {
        NSSortDescriptor.registerComparison(comparison) { one, other in
            let days = [one, other].map { Weekday(name: $0)?.rawValue ?? allCases.count }
            if days[0] == days[1] {
                return one == other ? .orderedSame : one < other ? .orderedAscending : .orderedDescending
            }
            return days[0] < days[1] ? .orderedAscending : .orderedDescending
        }
    }
}
