import CoreDataGraph
import TestBasics

/// Objects with dates on and around the boundaries of days, of all magnitudes.
package enum DayModel {
    /// The model: events with a date.
    package static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Event", ["date": .dateAttributeType])
        return builder.model
    }

    /// Times in seconds from 2001-01-01: random ones of all magnitudes, midnights of several time zones and changes to
    /// and from summer time, each with its neighbours among real numbers; and no date.
    package static func times(seed: UInt64) -> [Double?] {
        var random = SeededRandom(seed: seed)
        var times: [Double?] = [nil, 0, -0.25, 1e300, -1e300, 0x1p63, -0x1p63]
        for exponent in 0..<63 {
            for sign in [-1.0, 1] {
                let part = Double(random.next(below: 1 << 53)) * 0x1p-53
                times.append(sign * part * Double(sign: .plus, exponent: exponent, significand: 1))
            }
        }
        // Between the years 1 and 9999, with milliseconds and without.
        for number in 0..<300 {
            let seconds = Double(random.next(below: 315_500_000_000)) - 63_113_904_000
            times.append(number % 2 == 0 ? seconds : seconds + Double(random.next(below: 1_000)) / 1_000)
        }
        let midnights = (0..<60).map { _ in Double(random.next(below: 3_650_000) - 730_000) * 86_400 }
        let zones = ["Europe/London", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns", "Africa/Monrovia"]
        let changes = zones.compactMap(TimeZone.init(identifier:)).flatMap { zone in
            [0, 700_000_000, -2_000_000_000].flatMap { time -> [Double] in
                let date = Date(timeIntervalSinceReferenceDate: time)
                let offset = Double(zone.secondsFromGMT(for: date))
                let change = zone.nextDaylightSavingTimeTransition(after: date)?.timeIntervalSinceReferenceDate
                return [86_400 * 100 - offset, change ?? time]
            }
        }
        for time in midnights + changes { times += [time.nextDown, time, time.nextUp] }
        return times
    }

    /// The number of times on each day, by arithmetic that has no rounding: the remainder of a division is exact. The
    /// number of a time beyond 64 bits is that of the last day within.
    package static func days(of times: [Double?]) -> [Int64?: Int] {
        times.reduce(into: [:]) { counts, time in
            guard let time else {
                counts[nil, default: 0] += 1
                return
            }
            guard abs(time) < 0x1p63 else {
                counts[time < 0 ? -106_751_991_167_301 : 106_751_991_167_300, default: 0] += 1
                return
            }
            let rest = time.truncatingRemainder(dividingBy: 86_400)
            counts[Int64((time - rest) / 86_400) - (rest < 0 ? 1 : 0), default: 0] += 1
        }
    }

    /// Saves an event for each time.
    package static func fill(_ context: NSManagedObjectContext, _ times: [Double?]) throws {
        for time in times { context.insert("Event", ["date": time.map(Date.init(timeIntervalSinceReferenceDate:))]) }
        try context.save()
        context.reset()
    }

    /// A request for the number of events of each day.
    package static func request() -> NSFetchRequest<NSDictionary> {
        let day = column("day", type: .integer64AttributeType, function: "dayOfDate:", path: "date")
        let number = column("n", type: .integer64AttributeType, expression: NSExpression(format: "count(SELF)"))
        return values("Event", properties: [day, number], by: [day])
    }

    /// The number of events of each day, as a store counts them.
    package static func days(in context: NSManagedObjectContext) throws -> [Int64?: Int] {
        try context.fetch(request()).reduce(into: [:]) { counts, row in
            counts[(row["day"] as? NSNumber)?.int64Value, default: 0] += (row["n"] as? NSNumber)?.intValue ?? 0
        }
    }
}
