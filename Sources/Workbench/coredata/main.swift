import CoreDataPrinting
import Foundation

StandardStreams.occupy()
exit(Program.run())
