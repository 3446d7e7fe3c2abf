import CoreData

/// The lists of all dates in a context that the two versions of the program show.
struct DateList {
    /// The name of the file that keeps the sections for the next start.
    static let cacheName = "daysCache"

    let context: NSManagedObjectContext

    /// Version 1: one section, by date.
    func byDate() throws -> NSFetchedResultsController<AWRandomDate> {
        let controller = NSFetchedResultsController(
            fetchRequest: request([NSSortDescriptor(key: "date", ascending: true)]), managedObjectContext: context,
            sectionNameKeyPath: nil, cacheName: nil)
        try controller.performFetch()
        return controller
    }

    /// Version 2: a section for each weekday by its name, within it by date.
    func byDayName() throws -> NSFetchedResultsController<AWRandomDate> {
        let controller = NSFetchedResultsController(
            fetchRequest: request([
                NSSortDescriptor(key: "dayName", ascending: true), NSSortDescriptor(key: "date", ascending: true),
            ]), managedObjectContext: context, sectionNameKeyPath: "dayName", cacheName: Self.cacheName)
        try controller.performFetch()
        return controller
    }

    /// Version 2 in the order of the week, with an index of the whole week.
    func byWeekday() throws -> WeekController {
        Weekday.registerComparison()
        let controller = WeekController(
            fetchRequest: request([
                NSSortDescriptor(key: "dayName", ascending: true, selector: Weekday.comparison),
                NSSortDescriptor(key: "date", ascending: true),
            ]), managedObjectContext: context, sectionNameKeyPath: "dayName", cacheName: nil)
        try controller.performFetch()
        return controller
    }

    /// Inserts a random date and saves.
    @discardableResult
    func addRandomDate(using generator: inout some RandomNumberGenerator) throws -> AWRandomDate {
        let date = AWRandomDate.random(in: context, using: &generator)
        try context.save()
        return date
    }

    private func request(_ order: [NSSortDescriptor]) -> NSFetchRequest<AWRandomDate> {
        let request = NSFetchRequest<AWRandomDate>(entityName: "RandomDate")
        request.sortDescriptors = order
        request.fetchBatchSize = 20
        return request
    }
}
