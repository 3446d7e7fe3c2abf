/// What a job that is started from the page does.
enum JobKind: String, Sendable, CaseIterable {
    /// Gets a file to import from a URL.
    case download
    /// Tries an import, and changes nothing.
    case trial
    case `import`
    /// Takes an import back.
    case reversal
    /// Imports what a URL has, and keeps the URL.
    case subscription
    /// Asks for URLs that a store subscribes to.
    case refresh
    /// Exchanges with the peers of a store.
    case sync
    /// Makes a file of objects.
    case export
    case check
    case repair
    case comparison
    /// Copies chosen differences from one store to another.
    case copy

    /// What its units are.
    var unit: String {
        switch self {
        case .download, .trial, .import, .subscription: "bytes"
        case .export, .comparison: "objects"
        case .check, .repair, .copy, .refresh, .reversal, .sync: "steps"
        }
    }

    /// What it does, for people; the page has texts of its own.
    func title(_ subject: String) -> String {
        let verb =
            switch self {
            case .download: "Download"
            case .trial: "Try to import"
            case .import: "Import"
            case .reversal: "Take back"
            case .subscription: "Subscribe to"
            case .refresh: "Refresh"
            case .sync: "Exchange over"
            case .export: "Export"
            case .check: "Check"
            case .repair: "Repair"
            case .comparison: "Compare"
            case .copy: "Copy differences to"
            }
        return "\(verb) \(subject)"
    }

    /// Whether it stands still at pause points; one that holds a transaction open must not.
    var canPause: Bool { self == .export || self == .comparison }
}
