import Foundation

/// The tool that is built beside the tests, by which examples import documents.
enum CoreDataTool {
    /// Makes the tool known to the examples.
    static let isKnown: Bool = {
        let url = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("coredata")
        setenv("COREDATA_TOOL", url.path, 1)
        return FileManager.default.isExecutableFile(atPath: url.path)
    }()
}
