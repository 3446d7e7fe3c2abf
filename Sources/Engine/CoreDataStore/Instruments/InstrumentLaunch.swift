import CoreDataModeling

/// Makes the process observable, if its environment or arguments request that, when the first coordinator is made.
package enum InstrumentLaunch {
    /// The name of the environment variable and of the launch argument.
    package static let name = "OPENCOREDATA_INSTRUMENTS"

    /// Costs nothing the second time.
    package static func heed() { heeded }

    private static let heeded: Void = {
        guard let text = LaunchSettings.text(name), (text as NSString).boolValue else { return }
        do {
            try InstrumentSocket.offer()
        } catch {
            let hint = (error as NSError).localizedRecoverySuggestion.map { " " + $0 } ?? ""
            CoreDataLogging.report(.warning, "\(error.localizedDescription)\(hint)")
        }
    }()
}
