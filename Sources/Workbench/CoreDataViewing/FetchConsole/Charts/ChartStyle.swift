/// The colours of charts in files; the browser's page defines its own for the same classes.
enum ChartStyle {
    private static let light = ["#3150c8", "#b3531e", "#14693c", "#8a2a8a", "#8a6d00", "#00707a", "#b3264a", "#5a5f6e"]
    private static let dark = ["#9db1ff", "#ffb08a", "#7fdba6", "#e5a3e5", "#e5c84b", "#6fd6df", "#ff9db4", "#b5bac8"]

    static let sheet = """

        text { fill: #1b1f2a; }
        .number, .unit { fill: #596074; }
        .paper { fill: #ffffff; }
        .mark { stroke: #d5d9e3; }
        .zero { stroke: #596074; }
        path { fill: none; stroke-width: 2; }
        \(colours(light))
        @media (prefers-color-scheme: dark) {
        text { fill: #e8eaf2; }
        .number, .unit { fill: #a2a9bd; }
        .paper { fill: #14161c; }
        .mark { stroke: #343a49; }
        .zero { stroke: #a2a9bd; }
        \(colours(dark))
        }

        """

    private static func colours(_ list: [String]) -> String {
        list.enumerated().map { ".s\($0) { fill: \($1); } .l\($0) { stroke: \($1); }" }.joined(separator: "\n")
    }
}
