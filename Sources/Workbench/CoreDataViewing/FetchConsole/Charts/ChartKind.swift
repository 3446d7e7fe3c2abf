/// How the rows of a summary are shown.
package enum ChartKind: String, Sendable, CaseIterable {
    case table
    case bar
    case line
    case scatter
}
