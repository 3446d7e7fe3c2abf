@_exported import CoreDataExchange
