/// What a job that is started from the page does.
enum JobKind: String, Sendable, CaseIterable {
    /// Gets a file to import from a URL.
    case download
    /// Tries an import, and changes nothing.
    case trial
    case `import`
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
        case .download, .trial, .import: "bytes"
        case .export, .comparison: "objects"
        case .check, .repair, .copy: "steps"
        }
    }

    /// What it does, for people; the page has texts of its own.
    func title(_ subject: String) -> String {
        let verb =
            switch self {
            case .download: "Download"
            case .trial: "Try to import"
            case .import: "Import"
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
