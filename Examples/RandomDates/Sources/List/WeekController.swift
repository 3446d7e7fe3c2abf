import CoreData

/// Sections by weekday with an index of all seven days, whether there are dates of a day or not.
final class WeekController: NSFetchedResultsController<AWRandomDate> {
    /// The days from Sunday to Saturday by their first three letters.
    override var sectionIndexTitles: [String] { Weekday.allCases.map(\.shortName) }

    /// The first three letters of the day.
    override func sectionIndexTitle(forSectionName sectionName: String) -> String? { String(sectionName.prefix(3)) }

    /// The section of the day that a title belongs to; -1 when there is none.
    override func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        let matching = NSPredicate(format: "SELF CONTAINS[cd] %@", title)
        return sections?.firstIndex { matching.evaluate(with: $0.name) } ?? -1
    }
}
