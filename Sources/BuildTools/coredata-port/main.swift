import CoreDataSourcePorting

// What 'coredata port', 'strings', 'lint' and 'model' run: 'coredata-port [--write|--texts|--lint|--models] PATH…' prints a report as
// JSON. It is a program of its own, since it links the SwiftSyntax of the toolchain that it is built beside, which 'coredata' does
// without.
let words = Array(CommandLine.arguments.dropFirst())
let paths = ["--write", "--texts", "--lint", "--models"].contains(words.first) ? Array(words.dropFirst()) : words
let report: any Encodable
if words.first == "--models" {
    do {
        report = ModelReport(try ModelClassScan(of: paths))
    } catch {
        report = ModelReport(failure: error)
    }
} else if words.first == "--lint" {
    do {
        report = LintReport(try SaveLint(of: paths))
    } catch {
        report = LintReport(failure: error)
    }
} else if words.first == "--texts" {
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
