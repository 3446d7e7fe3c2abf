import CoreDataSourcePorting

// What 'coredata port' runs: 'coredata-port [--write] PATH…' prints a report as JSON. It is a program of its own, since it links the
// SwiftSyntax of the toolchain that it is built beside, which 'coredata' does without.
let words = Array(CommandLine.arguments.dropFirst())
let report: PortReport
do {
    let port = try SourcePort(of: words.first == "--write" ? Array(words.dropFirst()) : words)
    if words.first == "--write" { try port.write() }
    report = PortReport(port)
} catch {
    report = PortReport(failure: error)
}
do {
    try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(report))
} catch {
    // Who reads the report has gone, or cannot be notified.
    exit(1)
}
