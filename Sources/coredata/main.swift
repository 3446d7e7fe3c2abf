import CoreDataInspection

exit(Program.run(Array(CommandLine.arguments.dropFirst())))
