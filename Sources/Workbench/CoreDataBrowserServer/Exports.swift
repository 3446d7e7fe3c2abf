@_exported import CoreDataBrowser
