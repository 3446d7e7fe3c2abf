import CoreDataModeling

/// Calls `CoreDataInstruments.offer()` when the first coordinator is made, if the environment or the launch arguments
/// request it.
package enum InstrumentLaunch {
    /// The name of the environment variable and of the launch argument.
    package static let name = "OPENCOREDATA_INSTRUMENTS"

    /// Offers the process with the first call, if this is requested; later calls do nothing.
    package static func offerIfRequested() { offeredIfRequested }

    private static let offeredIfRequested: Void = {
        guard let text = LaunchSettings.text(name), (text as NSString).boolValue else { return }
        do {
            try InstrumentSocket.offer()
        } catch {
            let hint = (error as NSError).localizedRecoverySuggestion.map { " " + $0 } ?? ""
            CoreDataLogging.report(.warning, "\(error.localizedDescription)\(hint)")
        }
    }()
}
