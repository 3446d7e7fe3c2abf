import CoreDataSourceScanning

exit(
    BuildCommand.run(Array(CommandLine.arguments.dropFirst())) { line in
        // A closed standard error leaves no way to report it.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    })
