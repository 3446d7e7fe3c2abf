import CoreDataGazetteer
import Foundation

// Makes a gazetteer: coredata-gazetteer PLACES.csv COUNTRIES.json STORE.sqlite
let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
guard arguments.count == 3 else {
    FileHandle.standardError.write(Data("usage: coredata-gazetteer PLACES.csv COUNTRIES.json STORE.sqlite\n".utf8))
    exit(64)
}
do {
    let made = try Gazetteer.make(at: arguments[2], places: arguments[0], borders: arguments[1])
    print("\(made.places) places, \(made.names) names, \(made.borders) borders; \(made.nameless) rows without a name")
} catch {
    FileHandle.standardError.write(Data("coredata-gazetteer: \(error)\n".utf8))
    exit(1)
}
