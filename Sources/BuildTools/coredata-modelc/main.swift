import CoreDataSourceScanning

exit(
    BuildCommand.run(Array(CommandLine.arguments.dropFirst())) { line in
        // If standard error is closed, the line is lost: no other output is left.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    })
