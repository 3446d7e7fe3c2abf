import CoreDataSourcePorting

// What 'coredata port' and 'coredata strings' run: 'coredata-port [--write|--texts] PATH…' prints a report as JSON. It is a program of its
// own, since it links the SwiftSyntax of the toolchain that it is built beside, which 'coredata' does without.
let words = Array(CommandLine.arguments.dropFirst())
let paths = ["--write", "--texts"].contains(words.first) ? Array(words.dropFirst()) : words
let report: any Encodable
if words.first == "--texts" {
    do {
        report = TextReport(try TextScan(of: paths))
    } catch {
        report = TextReport(failure: error)
    }
} else {
    do {
        let port = try SourcePort(of: paths)
        if words.first == "--write" { try port.write() }
        report = PortReport(port)
    } catch {
        report = PortReport(failure: error)
    }
}
do {
    try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(report))
} catch {
    // Who reads the report has gone, or cannot be notified.
    exit(1)
}
