import CoreData

/// The forecasts of a store, and where new ones come from.
@MainActor final class WeatherReport {
    let container: NSPersistentContainer

    /// Opens a store.
    ///
    /// - Throws: what loading the store throws.
    init(at url: URL) throws {
        container = NSPersistentContainer(name: "SimpleWeather")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// Takes the forecasts of a feed over: those of days that are there are changed, others added.
    ///
    /// - Throws: what the import throws; nothing is changed then.
    func refresh(from feed: URL) async throws {
        try await importObjects(from: feed, mapping: "Forecasts", into: container)
        container.viewContext.refreshAllObjects()
    }

    /// All forecasts, the earliest first.
    ///
    /// - Throws: what `fetch(_:)` throws.
    func forecasts() throws -> [Forecast] {
        let request: NSFetchRequest<Forecast> = Forecast.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
        return try container.viewContext.fetch(request)
    }

    /// A line for each forecast, such as `Wed 22 Feb 2012 31/39 Partly Cloudy`.
    ///
    /// - Throws: what `fetch(_:)` throws.
    func lines() throws -> [String] {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE d MMM yyyy"
        return try forecasts().map { forecast in
            let day = forecast.date.map(formatter.string) ?? ""
            return "\(day) \(forecast.low)/\(forecast.high) \(forecast.text ?? "")"
        }
    }
}
