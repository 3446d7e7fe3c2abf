@_exported import CoreDataGraph
