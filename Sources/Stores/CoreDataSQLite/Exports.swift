@_exported import CoreDataSQL
