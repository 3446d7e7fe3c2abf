import CoreData
import StoreContract
import Testing

@testable import RandomDatesSample

@Suite struct RandomDatesTests {
    /// Numbers that look random and are the same in each run.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private static func stack(_ kind: StoreKind) throws -> Stack { try Stack(DateModel.load(), kind: kind) }

    private static func insert(_ days: [(year: Int, month: Int, day: Int)], into context: NSManagedObjectContext) throws
    {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for day in days {
            let made = try #require(
                NSEntityDescription.insertNewObject(forEntityName: "RandomDate", into: context) as? AWRandomDate)
            made.date = calendar.date(from: DateComponents(year: day.year, month: day.month, day: day.day))
            made.dayName = made.date.map { Weekday(of: $0).name }
        }
        try context.save()
    }

    /// The days from Sunday, 2 January 2000, to the Saturday after it.
    private static let week = (2...8).map { (year: 2000, month: 1, day: $0) }

    @Test(
        "random dates lie between 1970 and 2106, have their weekday's name, and are saved (SAMPLE-07)",
        arguments: StoreKind.all)
    func randomDates(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let list = DateList(context: stack.context)
        var numbers = Numbers(state: 7)
        for _ in 0..<200 { try list.addRandomDate(using: &numbers) }
        #expect(!stack.context.hasChanges)
        let reopened = try stack.reopened()
        let dates = try #require(try DateList(context: reopened.context).byDate().fetchedObjects)
        #expect(dates.count == 200)
        let moments = try dates.map { try #require($0.date).timeIntervalSince1970 }
        #expect(moments.allSatisfy { (0...TimeInterval(UInt32.max)).contains($0) && $0 == $0.rounded() })
        #expect(moments == moments.sorted() && Set(moments).count > 190)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEEE"
        for date in dates { #expect(date.dayName == date.date.map(formatter.string)) }
        #expect(Set(dates.compactMap(\.dayName)).count == 7)
    }

    @Test("sections by the weekday's name have the index F M S T W (SAMPLE-07, FRC-08)", arguments: StoreKind.all)
    func sectionsByName(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        try Self.insert(Self.week + [(2000, 1, 9), (1999, 12, 26)], into: stack.context)
        let controller = try DateList(context: stack.context).byDayName()
        defer { NSFetchedResultsController<AWRandomDate>.deleteCache(withName: DateList.cacheName) }
        #expect(controller.cacheName == "daysCache" && controller.fetchRequest.fetchBatchSize == 20)
        let sections = try #require(controller.sections)
        #expect(
            sections.map(\.name)
                == ["Friday", "Monday", "Saturday", "Sunday", "Thursday", "Tuesday", "Wednesday"])
        #expect(sections.map(\.numberOfObjects) == [1, 1, 1, 3, 1, 1, 1])
        let sundays = try #require(sections[3].objects as? [AWRandomDate]).compactMap(\.date)
        #expect(sundays.count == 3 && sundays == sundays.sorted())
        #expect(controller.sectionIndexTitles == ["F", "M", "S", "T", "W"])
        #expect(
            ["F", "M", "S", "T", "W"].map { controller.section(forSectionIndexTitle: $0, at: 0) } == [0, 1, 2, 4, 6])
    }

    @Test(
        "in the order of the week, with titles of all days, -1 for a day without dates (SAMPLE-07, FRC-09)",
        arguments: StoreKind.all)
    func sectionsOfTheWeek(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        // No Thursday.
        try Self.insert(Self.week.filter { $0.day != 6 }.reversed(), into: stack.context)
        let controller = try DateList(context: stack.context).byWeekday()
        let titles = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        #expect(controller.sectionIndexTitles == titles)
        #expect(
            controller.sections?.map(\.name) == ["Sunday", "Monday", "Tuesday", "Wednesday", "Friday", "Saturday"])
        #expect(controller.sections?.map(\.indexTitle) == ["Sun", "Mon", "Tue", "Wed", "Fri", "Sat"])
        #expect(
            titles.enumerated().map { controller.section(forSectionIndexTitle: $1, at: $0) } == [0, 1, 2, 3, -1, 4, 5])
        try Self.insert([(2000, 1, 6)], into: stack.context)
        try controller.performFetch()
        #expect(controller.section(forSectionIndexTitle: "Thu", at: 4) == 4)
    }
}
