import CoreDataSourceScanning

exit(
    BuildCommand.run(Array(CommandLine.arguments.dropFirst())) { line in
        // Nobody can be told where standard error is closed.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    })
