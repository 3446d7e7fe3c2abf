import CoreDataInspection

StandardStreams.occupy()
exit(Program.run())
